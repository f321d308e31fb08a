package dev.leasehold.postgres.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.postgres.Db;
import dev.leasehold.testkit.OwnPostgres;
import dev.leasehold.testkit.TestWaits;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** A release tells other nodes that wait, but it does not depend on that. */
@Timeout(TestWaits.TEST_LIMIT)
@Tag("slow")
class ReleaseNoticeTest {
    private static final Duration TTL = Duration.ofMinutes(5);
    private static final Holder US = Holder.of("billing", "node-1");

    /** As when nobody reads and the server's queue of notifications is full. */
    @Test
    void a_server_that_refuses_notifications_does_not_refuse_releases() {
        try (OwnPostgres server = OwnPostgres.start()) {
            PGSimpleDataSource schema = Db.withTables(server.newSchema());
            PGSimpleDataSource role = Db.asRoleWith(schema, "statement_timeout = 0");
            Db.execute(
                    schema,
                    "revoke execute on function pg_notify(text, text) from public, \"" + schema.getUser() + "\"");
            try (PostgresLocks node = PostgresLocks.create(role);
                    PostgresLocks other = PostgresLocks.create(role)) {
                HeldLock held = node.acquire(AcquireRequest.of("key").ttl(TTL));
                var waiting = other.async().tryAcquire(AcquireRequest.of("key").waitFor(TTL));
                TestWaits.await().until(() -> Db.number(schema, "select count(*) from syncguard_locks_waiters") == 1);
                assertThat(held.release()).isTrue();
                HeldLock next = TestWaits.get(waiting).orElseThrow();
                assertThat(TestWaits.get(node.admin().forceRelease(LockKey.of("key"), next.fence(), "test")))
                        .isTrue();

                LockKey key = LockKey.of("held");
                TestWaits.get(node.store().acquire(AcquireAttempt.of(key, TTL).holder(US)));
                assertThat(TestWaits.get(node.store().release(key, US))).isNotNull();
            }
        }
    }

    /** A process that releases and ends at once. */
    @Test
    void a_node_that_closes_after_its_release_is_heard() {
        PGSimpleDataSource dataSource = Db.withTables();
        try (PostgresLocks other = PostgresLocks.builder(dataSource)
                .options(options -> options.pollInterval(TTL))
                .build()) {
            for (int i = 0; i < 5; i++) {
                String key = "last:" + i;
                PostgresLocks node = PostgresLocks.create(dataSource);
                HeldLock held = node.acquire(AcquireRequest.of(key).ttl(TTL));
                var waiting = other.async().tryAcquire(AcquireRequest.of(key).waitFor(TTL));
                TestWaits.await()
                        .until(() -> Db.number(
                                        dataSource,
                                        "select count(*) from syncguard_locks_waiters where key = '" + key + "'")
                                == 1);
                held.release();
                node.close();
                assertThat(TestWaits.get(waiting)).isPresent();
            }
        }
    }

    /** The notification names another node. Those who wait here would come a moment later, if it was heard. */
    @Test
    void a_notification_that_fails_is_not_repeated_and_waiters_of_the_same_node_are_woken() {
        PGSimpleDataSource dataSource = Db.withTables();
        String schema = dataSource.getCurrentSchema();
        Db.execute(
                dataSource,
                "create sequence told; create function pg_notify(text, text) returns void language plpgsql as"
                        + " $$ begin perform nextval('told'); raise exception 'no' using errcode = '40001'; end $$");
        Db.execute(dataSource, "insert into syncguard_locks_waiters values ('key', 'another', 4000000000000)");
        dataSource.setCurrentSchema(schema + ", pg_catalog");
        try (PostgresLocks node = PostgresLocks.builder(dataSource)
                .options(options -> options.pollInterval(TTL))
                .build()) {
            HeldLock held = node.acquire(AcquireRequest.of("key").ttl(TTL).withoutRenewal());
            var waiting = node.async().tryAcquire(AcquireRequest.of("key").waitFor(TTL));
            TestWaits.await().until(() -> Db.number(dataSource, "select count(*) from syncguard_locks_waiters") == 2);
            AtomicLong calls = new AtomicLong();
            TestWaits.await() // nothing is under way any more that would wake it
                    .during(Duration.ofMillis(300))
                    .until(() -> calls.getAndSet(node.statistics().calls())
                            == node.statistics().calls());
            assertThat(node.byLockId().release(held.lockId().value())).isTrue();
            assertThat(TestWaits.get(waiting)).isPresent();
            assertThat(Db.number(dataSource, "select last_value from told")).isEqualTo(1);
        }
    }
}
