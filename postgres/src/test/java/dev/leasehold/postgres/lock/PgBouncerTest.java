package dev.leasehold.postgres.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.postgres.Db;
import dev.leasehold.testkit.TestWaits;
import dev.leasehold.testkit.process.PgBouncer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Everything works through a transaction pooler with fewer connections than clients. Needs pgbouncer to be installed. */
@Timeout(TestWaits.TEST_LIMIT)
@Tag("slow")
class PgBouncerTest {
    private static PgBouncer bouncer;
    private static PGSimpleDataSource direct;
    private static PGSimpleDataSource pooled;

    @BeforeAll
    static void start() {
        assumeTrue(PgBouncer.isInstalled(), "pgbouncer is not installed");
        direct = Db.withTables();
        bouncer = PgBouncer.before(direct);
        pooled = bouncer.pooled();
    }

    @AfterAll
    static void stop() {
        if (bouncer != null) {
            bouncer.close();
        }
    }

    @Test
    void many_nodes_share_two_connections_and_exclude_each_other() {
        List<PostgresLocks> nodes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            nodes.add(PostgresLocks.create(pooled));
        }
        try {
            List<CompletableFuture<Integer>> work = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                PostgresLocks node = nodes.get(i % nodes.size());
                String key = "pooled:" + i;
                work.add(CompletableFuture.supplyAsync(() -> {
                    for (int round = 0; round < 20; round++) {
                        try (PostgresLock lock = node.acquire(key)) {
                            assertThat(lock.extend(Duration.ofSeconds(10))).isTrue();
                            assertThat(node.isLocked(key)).isTrue();
                        }
                    }
                    return 20;
                }));
            }
            assertThat(work.stream().mapToInt(CompletableFuture::join).sum()).isEqualTo(320);
        } finally {
            nodes.forEach(PostgresLocks::close);
        }
    }

    @Test
    void a_waiter_that_cannot_listen_gets_the_lock_soon() throws Exception {
        try (PostgresLocks one = PostgresLocks.create(pooled);
                PostgresLocks other = PostgresLocks.create(pooled)) {
            PostgresLock held = one.acquire("deaf");
            var waiting = other.tryAcquireAsync(AcquireRequest.of("deaf").waitFor(Duration.ofMinutes(2)));
            held.release();
            assertThat(TestWaits.get(waiting)).isPresent();
        }
    }

    @Test
    void a_waiter_with_a_direct_connection_beside_the_pooler_is_woken() throws Exception {
        try (PostgresLocks one = PostgresLocks.create(pooled);
                PostgresLocks other = PostgresLocks.builder(pooled)
                        .listenOn(direct)
                        .options(o -> o.pollInterval(Duration.ofMinutes(5)))
                        .build()) {
            PostgresLock held = one.acquire("heard");
            var waiting = other.tryAcquireAsync(AcquireRequest.of("heard").waitFor(Duration.ofMinutes(2)));
            TestWaits.await()
                    .until(() ->
                            Db.number(direct, "select count(*) from syncguard_locks_waiters where key = 'heard'") == 1);
            held.release();
            assertThat(TestWaits.get(waiting)).isPresent();
        }
    }
}
