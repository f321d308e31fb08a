package dev.leasehold.postgres.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.Fence;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.admin.LockListing;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.BlockingLockStore;
import dev.leasehold.lock.spi.Extension;
import dev.leasehold.lock.spi.HandOver;
import dev.leasehold.lock.spi.LockStore;
import dev.leasehold.postgres.CountingSocketFactory;
import dev.leasehold.postgres.CountingSocketFactory.Counts;
import dev.leasehold.postgres.Db;
import dev.leasehold.postgres.TransactionIds;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** What an operation costs, counted on the wire and in the database. */
class RoundTripsTest {
    private static final Duration TTL = Duration.ofMinutes(5);
    private static final Holder US = Holder.of("billing", "node-1");
    private static final LockKey KEY = LockKey.of("counted");
    private PGSimpleDataSource dataSource;
    private Counts counts;
    private PostgresLocks locks;
    private BlockingLockStore store;

    @BeforeEach
    void open() {
        dataSource = Db.withTables();
        counts = CountingSocketFactory.count(dataSource);
        locks = PostgresLocks.builder(dataSource).connections(1).build();
        store = locks.store().blocking();
        for (int i = 0; i < 12; i++) { // past the point where pgjdbc prepares statements on the server
            Granted granted = acquire();
            store.acquire(AcquireAttempt.of(KEY, TTL));
            store.extend(granted.lockId(), TTL);
            store.isLocked(KEY);
            store.release(granted.lockId());
            byHolder();
        }
    }

    /** The verbs of holders and operators, once each. */
    private void byHolder() {
        for (Supplier<CompletableFuture<?>> call : holderCalls()) {
            call.get().join();
        }
    }

    private List<Supplier<CompletableFuture<?>>> holderCalls() {
        LockStore calls = locks.store().inCallerThread();
        return List.of(
                () -> calls.acquire(AcquireAttempt.of(KEY, TTL).holder(US)),
                () -> calls.renew(KEY, US, TTL),
                () -> calls.list(LockListing.DEFAULT),
                () -> calls.release(KEY, US),
                () -> calls.release(KEY, US),
                () -> calls.forceRelease(KEY, Fence.of(1)));
    }

    @AfterEach
    void close() {
        locks.close();
    }

    private Granted acquire() {
        return (Granted) store.acquire(AcquireAttempt.of(KEY, TTL));
    }

    private int roundTrips(Runnable operation) {
        int before = counts.roundTrips();
        operation.run();
        return counts.roundTrips() - before;
    }

    @Test
    void every_operation_is_one_round_trip() {
        Granted[] granted = new Granted[1];
        assertThat(roundTrips(() -> granted[0] = acquire())).as("acquire").isEqualTo(1);
        assertThat(roundTrips(() -> store.acquire(AcquireAttempt.of(KEY, TTL))))
                .as("a try that loses")
                .isEqualTo(1);
        assertThat(roundTrips(() -> store.extend(granted[0].lockId(), TTL)))
                .as("extend")
                .isEqualTo(1);
        assertThat(roundTrips(() -> store.isLocked(KEY))).as("isLocked").isEqualTo(1);
        assertThat(roundTrips(() -> store.lookup(granted[0].lockId())))
                .as("lookup")
                .isEqualTo(1);
        assertThat(roundTrips(() -> store.release(granted[0].lockId())))
                .as("release")
                .isEqualTo(1);
    }

    @Test
    void what_seldom_happens_takes_a_second_more_careful_one() {
        int takeOver = 0;
        int releaseOfNothing = 0;
        for (int i = 0; i < 12; i++) { // past the point where pgjdbc prepares statements on the server
            acquire();
            Db.execute(dataSource, "update syncguard_locks set expires_at_ms = 1");
            Granted[] taken = new Granted[1];
            takeOver = roundTrips(() -> taken[0] = acquire());
            store.release(taken[0].lockId());
            releaseOfNothing = roundTrips(() -> store.release(taken[0].lockId()));
        }
        assertThat(takeOver).as("acquire what is dead").isEqualTo(2);
        assertThat(releaseOfNothing).as("release what is not there").isEqualTo(2);
    }

    @Test
    void a_guard_with_the_commit_is_one_round_trip() throws Exception {
        HeldLock lock = locks.acquire("guarded");
        List<Integer> trips = new ArrayList<>();
        try (Connection connection = Db.transaction(dataSource)) {
            for (int i = 0; i < 12; i++) { // past the point where pgjdbc prepares statements on the server
                Db.execute(connection, "select 1");
                int before = counts.roundTrips();
                lock.commitGuarded(connection);
                trips.add(counts.roundTrips() - before);
            }
        }
        assertThat(trips.get(11)).isEqualTo(1);
    }

    @Test
    void a_release_and_the_next_acquire_are_one_round_trip_and_one_transaction() {
        LockStore calls = locks.store().inCallerThread();
        List<Integer> roundTrips = new ArrayList<>();
        int before = 0;
        LockId held = acquire().lockId();
        for (int i = 0; i < 13; i++) {
            LockId holder = held;
            AcquireAttempt next = AcquireAttempt.of(KEY, TTL);
            before = counts.transactions();
            roundTrips.add(roundTrips(() -> {
                HandOver handOver = calls.handOver(holder, next);
                assertThat(handOver.released().join().ok()).isTrue();
                assertThat(handOver.acquired().join().ok()).isTrue();
            }));
            held = next.lockId();
        }
        assertThat(roundTrips.get(12)).isEqualTo(1);
        assertThat(counts.transactions() - before).isEqualTo(1);
    }

    @Test
    void every_operation_of_holders_and_operators_is_one_round_trip() {
        for (Supplier<CompletableFuture<?>> call : holderCalls()) {
            assertThat(roundTrips(() -> call.get().join())).isEqualTo(1);
        }
        Granted granted = acquire();
        assertThat(roundTrips(() -> assertThat(locks.store()
                                .inCallerThread()
                                .forceRelease(KEY, granted.fence())
                                .join())
                        .isTrue()))
                .isEqualTo(1);
    }

    @Test
    void every_write_of_a_holder_is_one_transaction() throws Exception {
        int before = counts.transactions();
        byHolder();
        assertThat(counts.transactions() - before).as("one each").isEqualTo(6);
        try (TransactionIds ids = new TransactionIds()) {
            assertThat(ids.leastOf(3, this::byHolder))
                    .as("acquire, renew and release write; the others found nothing to do")
                    .isEqualTo(3);
        }
    }

    @Test
    void every_write_is_one_transaction() {
        int before = counts.transactions();
        Granted granted = acquire();
        store.extend(granted.lockId(), TTL);
        store.release(granted.lockId());
        assertThat(counts.transactions() - before).isEqualTo(3);
    }

    @Test
    void a_try_that_loses_writes_nothing() throws Exception {
        acquire();
        try (TransactionIds ids = new TransactionIds()) {
            assertThat(ids.writesNothing(() -> {
                        for (int i = 0; i < 10; i++) {
                            assertThat(store.acquire(AcquireAttempt.of(KEY, TTL))
                                            .ok())
                                    .isFalse();
                        }
                    }))
                    .as("ten tries without a transaction id or a byte of WAL")
                    .isTrue();
        }
    }

    /** One would take a thousand advisory locks at once, and a few such nodes all that a server has. */
    @Test
    void a_thousand_locks_extend_in_four_statements_and_four_transactions() {
        List<Extension> extensions = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            Granted granted = (Granted) store.acquire(AcquireAttempt.of(LockKey.of("many:" + i), TTL));
            extensions.add(new Extension(granted.lockId(), TTL));
        }
        locks.store()
                .extendAll(extensions)
                .forEach(result -> assertThat(result.join().ok()).isTrue());
        int before = counts.transactions();
        int trips = roundTrips(() -> locks.store()
                .extendAll(extensions)
                .forEach(result -> assertThat(result.join().ok()).isTrue()));
        assertThat(trips).isEqualTo(4);
        assertThat(counts.transactions() - before).isEqualTo(4);
    }
}
