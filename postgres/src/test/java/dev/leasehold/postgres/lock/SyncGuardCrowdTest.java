package dev.leasehold.postgres.lock;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.postgres.Db;
import dev.leasehold.postgres.lock.SyncGuardClient.Acquired;
import dev.leasehold.testkit.OwnPostgres;
import dev.leasehold.testkit.TestWaits;
import dev.leasehold.testkit.proxy.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A hundred SyncGuard clients, some milliseconds away from the database, ask for a key again and again. Each has the key's advisory
 * lock for a few round trips, and the next of them waits already.
 */
@Timeout(TestWaits.TEST_LIMIT)
@Tag("slow")
class SyncGuardCrowdTest {
    private static final int CLIENTS = 100;
    private static final int TIMES = 10;
    private static final int FEW = 6;

    /** Longer than a hundred clients take to have their turn, also on a machine that is busy. */
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    private static final Duration TTL = Duration.ofMinutes(2);
    private static final Holder US = Holder.of("billing", "node-1");

    private static OwnPostgres server;
    private Proxy wire;
    private HikariDataSource theirs;
    private PostgresLocks locks;
    private final AtomicInteger taken = new AtomicInteger();
    private volatile boolean isOver;

    @BeforeAll
    static void start() {
        server = OwnPostgres.start(Map.of("max_connections", "200"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void open() {
        PGSimpleDataSource direct = Db.withTables(server.newSchema());
        wire = Proxy.before(direct);
        wire.faults().latency(1);
        HikariConfig config = new HikariConfig();
        config.setDataSource(wire.through(direct));
        config.setMaximumPoolSize(CLIENTS);
        config.setConnectionTimeout(TestWaits.LIMIT.toMillis());
        theirs = new HikariDataSource(config);
        locks = PostgresLocks.builder(wire.through(direct)).timeout(TIMEOUT).build();
    }

    @AfterEach
    void close() {
        locks.close();
        theirs.close();
        wire.close();
    }

    @Test
    void every_extension_of_a_lock_that_they_ask_for_succeeds() {
        HeldLock lock =
                locks.acquire(AcquireRequest.of("held").ttl(TTL).holder(US).withoutRenewal());
        List<CompletableFuture<Integer>> crowd = crowd("held");
        for (int i = 0; i < TIMES; i++) {
            assertThat(lock.extend(TTL)).as("extension " + i).isTrue();
            assertThat(locks.tryAcquire("held")).as("somebody else").isEmpty();
        }
        assertThat(TestWaits.get(locks.async().byHolder().renew(LockKey.of("held"), US, Duration.ofSeconds(1))))
                .as("renewed by its holder")
                .isPresent();
        AcquireAttempt again = AcquireAttempt.of(LockKey.of("held"), TTL).holder(US);
        assertThat(TestWaits.get(locks.store().acquire(again)).ok())
                .as("acquired again by its holder")
                .isTrue();
        assertThat(turns(crowd)).as("turns of others").isZero();
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void nobody_fails_who_asks_for_a_key_that_they_have_by_turns() {
        List<CompletableFuture<Integer>> crowd = crowd("turns");
        while (taken.get() < 2 * TIMES) {
            locks.tryAcquire("turns").ifPresent(HeldLock::close);
        }
        assertThat(turns(crowd)).as("turns of others").isPositive();
    }

    /**
     * Another SyncGuard client stands still in its transaction, with the advisory lock of a key. However many calls for that key
     * wait, an extension of another key has its turn, in the time that it has by default.
     */
    @Test
    void every_extension_succeeds_although_calls_for_another_key_cannot() throws Exception {
        PGSimpleDataSource direct = Db.withTables(server.newSchema());
        try (PostgresLocks node = PostgresLocks.create(direct);
                Connection stalled = Db.transaction(direct)) {
            HeldLock lock = node.acquire(AcquireRequest.of("m").ttl(TTL).withoutRenewal());
            Db.execute(stalled, "select pg_advisory_xact_lock(hashtext('k'))");
            List<CompletableFuture<Integer>> turns = inTurns(direct, "m");
            List<CompletableFuture<Integer>> calls = IntStream.range(0, FEW)
                    .mapToObj(i -> start(() -> acquireAll(node, "k")))
                    .toList();
            Db.awaitAdvisoryWait(direct, "k");
            for (int i = 0; i < TIMES; i++) {
                assertThat(lock.extend(TTL)).as("extension " + i).isTrue();
            }
            isOver = true;
            stalled.rollback();
            turns.forEach(TestWaits::get);
            calls.forEach(TestWaits::get);
        }
    }

    /** A few clients that have a key's advisory lock in turns, without a gap in between; returns when they have begun. */
    private List<CompletableFuture<Integer>> inTurns(PGSimpleDataSource dataSource, String key) {
        AtomicInteger turns = new AtomicInteger();
        List<CompletableFuture<Integer>> clients = IntStream.range(0, FEW)
                .mapToObj(i -> start(() -> {
                    try (Connection connection = Db.transaction(dataSource)) {
                        while (!isOver) {
                            Db.execute(
                                    connection,
                                    "select pg_advisory_xact_lock(hashtext('" + key + "')); select pg_sleep(0.006)");
                            connection.commit();
                            turns.incrementAndGet();
                        }
                        return turns.get();
                    }
                }))
                .toList();
        TestWaits.await().until(() -> turns.get() > FEW);
        return clients;
    }

    /** Asks for a key again and again, whatever becomes of it. */
    private int acquireAll(PostgresLocks node, String key) {
        int failed = 0;
        while (!isOver) {
            try {
                node.tryAcquire(AcquireRequest.of(key).withoutRenewal()).ifPresent(HeldLock::close);
            } catch (LockException e) {
                failed++;
            }
        }
        return failed;
    }

    /** Returns when each of them has asked at least once. */
    private List<CompletableFuture<Integer>> crowd(String key) {
        AtomicInteger begun = new AtomicInteger();
        List<CompletableFuture<Integer>> crowd = IntStream.range(0, CLIENTS)
                .mapToObj(i -> start(() -> ask(key, begun)))
                .toList();
        TestWaits.await().until(() -> begun.get() == CLIENTS);
        return crowd;
    }

    private static CompletableFuture<Integer> start(Callable<Integer> client) {
        CompletableFuture<Integer> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(client.call());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    /** Asks until the test is over, and returns how often it had the key. */
    private int ask(String key, AtomicInteger begun) throws Exception {
        SyncGuardClient client = new SyncGuardClient(theirs);
        int turns = 0;
        for (int i = 0; !isOver; i++) {
            Optional<Acquired> acquired = client.acquire(key, TTL.toMillis());
            begun.addAndGet(i == 0 ? 1 : 0);
            TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(1, 41));
            if (acquired.isPresent()) {
                turns++;
                taken.incrementAndGet();
                client.release(acquired.get().lockId());
            }
        }
        return turns;
    }

    private int turns(List<CompletableFuture<Integer>> crowd) {
        isOver = true;
        return crowd.stream().mapToInt(TestWaits::get).sum();
    }
}
