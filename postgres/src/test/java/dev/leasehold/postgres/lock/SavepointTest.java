package dev.leasehold.postgres.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockLostException;
import dev.leasehold.postgres.Db;
import dev.leasehold.testkit.TestWaits;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.AutoSave;

/** Neither a savepoint nor pgjdbc's autosave gets a transaction past a guard that failed. */
@Timeout(TestWaits.TEST_LIMIT)
class SavepointTest extends GuardedLedger {
    private static final PGSimpleDataSource TABLES = withLedger("create table ledger (entry text)");

    SavepointTest() {
        super(TABLES);
    }

    @ParameterizedTest
    @ValueSource(ints = {READ_COMMITTED, REPEATABLE_READ, SERIALIZABLE})
    void a_guard_that_failed_after_a_savepoint_cannot_be_rolled_back_alone(int isolation) throws SQLException {
        HeldLock stale = lost();
        try (Connection connection = Db.transaction(dataSource, isolation)) {
            post(connection, "stale");
            Savepoint savepoint = connection.setSavepoint();
            assertThatThrownBy(() -> stale.guard(connection)).isInstanceOf(LockLostException.class);
            goOnFrom(connection, savepoint);
        }
        assertThat(entries()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {REPEATABLE_READ, SERIALIZABLE})
    void nor_can_one_that_failed_because_of_an_old_snapshot(int isolation) throws SQLException {
        HeldLock stale = acquire();
        try (Connection connection = Db.transaction(dataSource, isolation)) {
            post(connection, "stale");
            Savepoint savepoint = connection.setSavepoint();
            outlive();
            others.acquire("ledger");
            assertThatThrownBy(() -> stale.guard(connection)).isInstanceOf(LockLostException.class);
            goOnFrom(connection, savepoint);
        }
        assertThat(entries()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {READ_COMMITTED, REPEATABLE_READ, SERIALIZABLE})
    void nor_can_a_guarded_commit_that_failed(int isolation) throws SQLException {
        HeldLock stale = lost();
        try (Connection connection = Db.transaction(dataSource, isolation)) {
            post(connection, "stale");
            Savepoint savepoint = connection.setSavepoint();
            assertThatThrownBy(() -> stale.commitGuarded(connection)).isInstanceOf(LockLostException.class);
            goOnFrom(connection, savepoint);
        }
        assertThat(entries()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {READ_COMMITTED, REPEATABLE_READ, SERIALIZABLE})
    void a_guard_after_a_savepoint_is_refused_and_nothing_commits(int isolation) throws SQLException {
        HeldLock lock = acquire();
        try (Connection connection = Db.transaction(dataSource, isolation)) {
            post(connection, "one");
            Savepoint savepoint = connection.setSavepoint();
            assertRefused(() -> lock.guard(connection), "before the first savepoint");
            goOnFrom(connection, savepoint);
        }
        assertThat(entries()).isZero();
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void it_is_refused_too_while_others_guard_the_same_lock() throws SQLException {
        HeldLock lock = acquire();
        try (Connection first = Db.transaction(dataSource);
                Connection second = Db.transaction(dataSource);
                Connection third = Db.transaction(dataSource)) {
            lock.guard(first);
            lock.guard(second);
            post(third, "one");
            third.setSavepoint();
            assertRefused(() -> lock.guard(third), "before the first savepoint");
        }
    }

    @Test
    void several_transactions_may_guard_the_same_lock() throws SQLException {
        HeldLock lock = acquire();
        try (Connection first = Db.transaction(dataSource);
                Connection second = Db.transaction(dataSource)) {
            lock.guard(first);
            lock.guard(second);
            lock.guard(second);
            post(first, "one");
            post(second, "two");
            first.commit();
            second.commit();
        }
        assertThat(entries()).isEqualTo(2);
    }

    @Test
    void a_guard_before_the_savepoint_outlasts_it() throws SQLException {
        HeldLock lock = acquire();
        try (Connection connection = Db.transaction(dataSource)) {
            lock.guard(connection);
            Savepoint savepoint = connection.setSavepoint();
            post(connection, "undone");
            lock.guard(connection);
            connection.rollback(savepoint);
            outlive();
            assertThat(hasty.tryAcquire("ledger")).isEmpty();
            post(connection, "done");
            connection.commit();
        }
        assertThat(entries()).isEqualTo(1);
    }

    @Test
    void a_savepoint_that_was_released_is_no_obstacle() throws SQLException {
        HeldLock lock = acquire();
        try (Connection connection = Db.transaction(dataSource)) {
            Savepoint savepoint = connection.setSavepoint();
            post(connection, "one");
            connection.releaseSavepoint(savepoint);
            lock.guard(connection);
            connection.commit();
        }
        assertThat(entries()).isEqualTo(1);
    }

    @Test
    void a_connection_that_rolls_back_single_statements_is_refused() throws SQLException {
        HeldLock lock = acquire();
        try (Connection connection = Db.transaction(dataSource)) {
            connection.unwrap(PGConnection.class).setAutosave(AutoSave.ALWAYS);
            assertRefused(() -> lock.guard(connection), "autosave=always");
            assertRefused(() -> lock.commitGuarded(connection), "autosave=always");
            assertRefused(() -> lock.releaseIn(connection), "autosave=always");
        }
        assertThat(lock.isHeld()).isTrue();
    }

    private HeldLock lost() {
        HeldLock stale = acquire();
        outlive();
        others.acquire("ledger");
        return stale;
    }

    private static void assertRefused(ThrowingCallable call, String reason) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.INVALID_ARGUMENT))
                .hasMessageContaining(reason);
    }

    /** What a caller does that swallows the exception and wants to save the rest. */
    private static void goOnFrom(Connection connection, Savepoint savepoint) {
        for (SqlStep step :
                new SqlStep[] {() -> connection.rollback(savepoint), () -> post(connection, "more"), connection::commit
                }) {
            try {
                step.run();
            } catch (SQLException e) {
                assertThat(e.getSQLState()).isNotNull(); // the database refuses
            }
        }
    }

    private interface SqlStep {
        void run() throws SQLException;
    }
}
