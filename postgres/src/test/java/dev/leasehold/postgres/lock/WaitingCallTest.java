package dev.leasehold.postgres.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.ExtendResult;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.postgres.Db;
import dev.leasehold.testkit.TestWaits;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Calls that wait for the advisory lock of a key, which a SyncGuard client has for long. */
@Timeout(TestWaits.TEST_LIMIT)
@Tag("slow")
class WaitingCallTest {
    /** Far longer than the test: no wait ends by itself. */
    private static final Duration LONG = Duration.ofMinutes(10);

    private final PGSimpleDataSource dataSource = Db.withTables();
    private PostgresLocks locks;
    private Connection stalled;

    @BeforeEach
    void open() throws SQLException {
        locks = PostgresLocks.builder(dataSource)
                .timeout(LONG)
                .sweepEvery(Duration.ZERO)
                .build();
        stalled = Db.transaction(dataSource);
    }

    @AfterEach
    void close() throws SQLException {
        stalled.close();
        locks.close();
    }

    private void stall(String key) throws SQLException {
        Db.execute(stalled, "select pg_advisory_xact_lock(hashtext('" + key + "'))");
    }

    private void awaitNoWait() {
        TestWaits.await()
                .until(() -> Db.number(
                                dataSource,
                                "select count(*) from pg_stat_activity where wait_event = 'advisory'"
                                        + " and application_name = current_setting('application_name')")
                        == 0);
    }

    @Test
    void a_call_that_was_cancelled_does_not_go_on_waiting() throws SQLException {
        stall("cancelled");
        var call = locks.async().tryAcquire(AcquireRequest.of("cancelled"));
        Db.awaitAdvisoryWait(dataSource, "cancelled");
        call.cancel(true);
        awaitNoWait();
        stalled.rollback();
        TestWaits.await().until(() -> !locks.isLocked("cancelled"));
        locks.acquire("cancelled").close();
    }

    @Test
    void one_call_of_a_key_waits_and_the_others_go_on_trying() throws SQLException {
        stall("one");
        var first = locks.async().tryAcquire(AcquireRequest.of("one"));
        Db.awaitAdvisoryWait(dataSource, "one");
        var second = locks.async().tryAcquire(AcquireRequest.of("one"));
        long before = locks.statistics().calls();
        TestWaits.await().until(() -> locks.statistics().calls() > before + 12);
        assertThat(Db.number(
                        dataSource,
                        "select count(*) from pg_stat_activity where wait_event = 'advisory'"
                                + " and application_name = current_setting('application_name')"))
                .isEqualTo(1);
        stalled.rollback();
        assertThat(TestWaits.get(first).isPresent() || TestWaits.get(second).isPresent())
                .isTrue();
    }

    @Test
    void a_call_that_waits_in_vain_ends_when_its_node_is_closed() throws SQLException {
        PostgresLocks node =
                PostgresLocks.builder(dataSource).timeout(Duration.ofSeconds(5)).build();
        stall("closed");
        CompletableFuture<?> call = node.store().acquire(AcquireAttempt.of(LockKey.of("closed"), LONG));
        Db.awaitAdvisoryWait(dataSource, "closed");
        node.close();
        TestWaits.await().until(call::isDone);
    }

    @Test
    void an_extension_that_waits_has_no_lock_on_the_table() throws SQLException {
        HeldLock lock = locks.acquire(AcquireRequest.of("held").ttl(LONG).withoutRenewal());
        stall("held");
        CompletableFuture<ExtendResult> extended = locks.store().extend(lock.lockId(), LONG);
        Db.awaitAdvisoryWait(dataSource, "held");
        try (Connection other = Db.transaction(dataSource)) {
            Db.execute(other, "lock table syncguard_locks in access exclusive mode nowait");
        }
        stalled.rollback();
        assertThat(TestWaits.get(extended).ok()).isTrue();
    }

    @Test
    void a_call_that_had_its_turn_does_not_wait_for_long_again() throws SQLException {
        stall("turn");
        var call = locks.async().tryAcquire(AcquireRequest.of("turn"));
        Db.awaitAdvisoryWait(dataSource, "turn");
        try (Connection other = Db.transaction(dataSource);
                Connection third = dataSource.getConnection()) {
            Db.execute(other, "lock table syncguard_locks in access exclusive mode");
            stalled.rollback();
            TestWaits.await()
                    .until(() ->
                            Db.number(third, "select pg_try_advisory_xact_lock(hashtext('turn')::bigint)::int") == 1);
        }
        assertThat(TestWaits.get(call)).isPresent();
    }

    @Test
    void the_give_back_of_an_acquire_of_unknown_outcome_waits_for_its_turn() throws SQLException {
        stall("unsure");
        ReleaseStatement.Request wish =
                ReleaseStatement.Request.giveBackUnknown(AcquireAttempt.of(LockKey.of("unsure"), LONG));
        CompletableFuture<ReleaseResult> released =
                locks.store().send(locks.store().statements.release, wish, CancelSignal.none(), false);
        Db.awaitAdvisoryWait(dataSource, "unsure");
        stalled.rollback();
        assertThat(TestWaits.get(released)).isEqualTo(ReleaseResult.NOT_FOUND);
    }

    /** Its transaction has ended, but a guard's has not. */
    @Test
    void a_call_in_the_pause_between_two_tries_ends_when_its_node_is_closed() throws SQLException {
        PostgresLocks node = PostgresLocks.builder(dataSource).timeout(LONG).build();
        HeldLock lock = node.acquire(AcquireRequest.of("guarded").ttl(LONG).withoutRenewal());
        lock.guard(stalled);
        long before = node.statistics().calls();
        CompletableFuture<ReleaseResult> released = node.store().release(lock.lockId());
        TestWaits.await().until(() -> node.statistics().calls() > before + 6);
        node.close();
        TestWaits.await().until(released::isDone);
        assertThat(released).isCompletedExceptionally();
    }
}
