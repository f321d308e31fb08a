package dev.leasehold.postgres.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.postgres.Db;
import dev.leasehold.testkit.TestWaits;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.AutoSave;

/**
 * A lock that is closed or released by the thread that guards with it, before its transaction has ended: the release is part of
 * that transaction. That is what try-with-resources does inside a method that is transactional as a whole.
 */
@Timeout(TestWaits.TEST_LIMIT)
class GuardedCloseTest extends GuardedLedger {
    private static final PGSimpleDataSource TABLES = withLedger("create table ledger (entry text)");

    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private PostgresLocks reporting;

    GuardedCloseTest() {
        super(TABLES);
    }

    @BeforeEach
    void openReporting() {
        reporting = PostgresLocks.builder(dataSource)
                .testClock(clock)
                .options(options -> options.onReleaseError((error, context) -> errors.add(error)))
                .build();
    }

    @AfterEach
    void closeReporting() {
        reporting.close();
    }

    private HeldLock acquireReporting() {
        return reporting.acquire(AcquireRequest.of("ledger").ttl(TTL).withoutRenewal());
    }

    @Test
    void a_lock_that_is_closed_before_the_commit_is_released_with_it() throws SQLException {
        try (Connection connection = Db.transaction(dataSource)) {
            try (HeldLock lock = acquireReporting()) {
                lock.guard(connection);
                post(connection, "one");
            }
            assertThat(errors).isEmpty();
            assertThat(others.tryAcquire("ledger")).as("before the commit").isEmpty();
            connection.commit();
            assertThat(others.tryAcquire("ledger")).as("after the commit").isPresent();
        }
        assertThat(entries()).isEqualTo(1);
    }

    @Test
    void a_lock_that_is_released_before_the_commit_is_released_with_it() throws SQLException {
        HeldLock lock = acquireReporting();
        try (Connection connection = Db.transaction(dataSource)) {
            lock.guard(connection);
            assertThat(lock.release()).isTrue();
            assertThat(lock.release()).as("the second time").isFalse();
            assertThat(others.tryAcquire("ledger")).as("before the commit").isEmpty();
            connection.commit();
        }
        assertThat(others.tryAcquire("ledger")).as("after the commit").isPresent();
    }

    @Test
    void a_lock_that_is_closed_before_a_rollback_is_given_back_after_it() throws SQLException {
        try (Connection connection = Db.transaction(dataSource)) {
            try (HeldLock lock = acquireReporting()) {
                lock.guard(connection);
            }
            connection.rollback();
        }
        TestWaits.await().until(() -> !others.isLocked("ledger"));
        assertThat(errors).isEmpty();
    }

    @Test
    void a_lock_that_is_closed_in_a_transaction_that_has_failed_is_given_back_after_it() throws SQLException {
        try (Connection connection = Db.transaction(dataSource)) {
            try (HeldLock lock = acquireReporting()) {
                lock.guard(connection);
                post(connection, "it's wrong");
            } catch (SQLException expected) {
                assertThat(errors).isEmpty();
            }
            connection.rollback();
        }
        TestWaits.await().until(() -> !others.isLocked("ledger"));
    }

    @Test
    void a_lock_that_guarded_an_earlier_transaction_of_the_connection_is_released_at_once() throws SQLException {
        try (Connection connection = Db.transaction(dataSource)) {
            HeldLock lock = acquireReporting();
            lock.guard(connection);
            connection.commit();
            post(connection, "in the next transaction");
            assertThat(lock.release()).isTrue();
            assertThat(others.tryAcquire("ledger")).isPresent();
            connection.rollback();
        }
    }

    /** A release by another transaction has to wait for this one, and this one takes its time. */
    @Test
    void a_lock_that_is_closed_before_a_rollback_is_given_back_however_late_that_comes() throws SQLException {
        Duration ttl = Duration.ofMinutes(30);
        try (Connection connection = Db.transaction(dataSource)) {
            try (HeldLock lock = reporting.acquire(AcquireRequest.of("ledger").ttl(ttl))) {
                lock.guard(connection);
            }
            assertThat(reporting.store().giveBacks.longest()).isGreaterThan(Duration.ofMinutes(20));
            connection.rollback();
        }
        TestWaits.await().until(() -> !others.isLocked("ledger"));
        TestWaits.await().until(() -> reporting.store().giveBacks.pending() == 0);
    }

    @Test
    void a_release_in_a_transaction_says_that_the_lock_was_not_held() throws SQLException {
        HeldLock lock = acquireReporting();
        try (Connection connection = Db.transaction(dataSource)) {
            lock.guard(connection);
            outlive();
            assertThat(lock.release()).isFalse();
            connection.commit();
        }
    }

    /** The connection was changed after the guard, so that the release cannot be a part of its transaction. */
    @Test
    void a_lock_that_cannot_be_released_in_its_transaction_is_given_back_after_it() throws SQLException {
        try (Connection connection = Db.transaction(dataSource)) {
            HeldLock lock = reporting.acquire(AcquireRequest.of("ledger").ttl(Duration.ofMinutes(30)));
            lock.guard(connection);
            connection.unwrap(PGConnection.class).setAutosave(AutoSave.ALWAYS);
            lock.close();
            assertThat(lock.isHeld()).isFalse();
            assertThat(errors).isEmpty();
            connection.commit();
        }
        TestWaits.await().until(() -> !others.isLocked("ledger"));
    }
}
