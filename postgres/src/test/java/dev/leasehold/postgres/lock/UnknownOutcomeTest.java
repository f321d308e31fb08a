package dev.leasehold.postgres.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.LockException;
import dev.leasehold.postgres.Db;
import dev.leasehold.testkit.OwnPostgres;
import dev.leasehold.testkit.TestWaits;
import dev.leasehold.testkit.proxy.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** An acquire that takes effect only after its caller was told that it failed leaves nobody's lock behind. */
@Timeout(TestWaits.TEST_LIMIT)
@Tag("slow")
class UnknownOutcomeTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** Far longer than the test: nothing here ends by itself. */
    private static final Duration TTL = Duration.ofMinutes(10);

    @Test
    void a_commit_that_stalls_is_given_back_when_it_is_complete() {
        try (OwnPostgres server = OwnPostgres.start();
                PostgresLocks locks = PostgresLocks.builder(Db.withTables(server.newSchema()))
                        .timeout(TIMEOUT)
                        .build()) {
            locks.acquire("before").close();
            standby(server, "'nobody'");
            String stalled = firstKeyThatFails(locks);
            standby(server, "''");
            TestWaits.await()
                    .until(() -> Db.number(
                                    server.dataSource(),
                                    "select count(*) from pg_stat_activity where wait_event = 'SyncRep'")
                            == 0);
            assertGivenBack(locks, stalled);
        }
    }

    /** Commits wait for a standby of that name. */
    private static void standby(OwnPostgres server, String name) {
        Db.execute(server.dataSource(), "alter system set synchronous_standby_names = " + name);
        Db.execute(server.dataSource(), "select pg_reload_conf()");
    }

    /** The server takes note of its new configuration in its own time. */
    private static String firstKeyThatFails(PostgresLocks locks) {
        for (int i = 0; ; i++) {
            String key = "stalled:" + i;
            long before = locks.statistics().calls();
            if (isFailing(locks, key)) {
                TestWaits.await().until(() -> locks.statistics().calls() >= before + 3); // and two releases
                return key;
            }
        }
    }

    private static AcquireRequest request(String key) {
        return AcquireRequest.of(key).ttl(TTL).withoutRenewal();
    }

    private static boolean isFailing(PostgresLocks locks, String key) {
        return catchThrowable(() -> locks.acquire(request(key))) instanceof LockException;
    }

    private static void assertGivenBack(PostgresLocks locks, String key) {
        TestWaits.await()
                .ignoreExceptionsInstanceOf(LockException.class)
                .until(() -> locks.tryAcquire(key).isPresent());
    }

    /** Behind the proxy there is only one connection, and it has another name. */
    private static final String DONE_ON_ANOTHER_CONNECTION =
            "select count(*) from pg_stat_activity where application_name = current_setting('application_name')"
                    + " and pid <> pg_backend_pid() and state = 'idle' and query not like '%pg_stat_activity%'"
                    + " and (query like '%released%' or query like '%commit')";

    @Test
    void a_message_that_arrives_late_is_given_back_after_it() {
        PGSimpleDataSource direct = Db.withTables();
        try (Proxy slow = Proxy.before(direct);
                PostgresLocks locks = PostgresLocks.builder(firstThrough(slow, direct))
                        .connections(1)
                        .timeout(TIMEOUT)
                        .build()) {
            locks.acquire("before").close();
            slow.faults().blackHole();
            assertThat(isFailing(locks, "late")).isTrue();
            TestWaits.await().until(() -> Db.number(direct, DONE_ON_ANOTHER_CONNECTION) > 0);
            slow.faults().clear();
            TestWaits.await().until(() -> Db.number(direct, fences("late")) == 1);
            assertGivenBack(locks, "late");
        }
    }

    private static String fences(String key) {
        return "select count(*) from syncguard_fence_counters where fence_key = 'fence:" + key + "'";
    }

    /** Its first connection leads through the proxy, the others do not. */
    private static PGSimpleDataSource firstThrough(Proxy proxy, PGSimpleDataSource direct) {
        AtomicBoolean first = new AtomicBoolean(true);
        PGSimpleDataSource through = proxy.through(direct);
        through.setApplicationName("slow");
        return new PGSimpleDataSource() {
            private static final long serialVersionUID = 1L;

            @Override
            public Connection getConnection() throws SQLException {
                return (first.getAndSet(false) ? through : direct).getConnection();
            }
        };
    }
}
