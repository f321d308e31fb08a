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
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.AutoSave;

/** pgjdbc's autosave puts savepoints before statements: a transaction whose guard failed or was refused does not commit with it either. */
@Timeout(TestWaits.TEST_LIMIT)
class AutosaveTest extends GuardedLedger {
    private static final PGSimpleDataSource TABLES = withLedger("create table ledger (entry text)");

    /** More often than pgjdbc needs to know the columns of a statement, and to prepare it under a name. */
    private static final int TIMES = 8;

    AutosaveTest() {
        super(TABLES);
    }

    private Connection transaction(AutoSave autosave) throws SQLException {
        Connection connection = Db.transaction(dataSource);
        connection.unwrap(PGConnection.class).setAutosave(autosave);
        return connection;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_transaction_whose_guard_was_refused_does_not_commit(boolean atCommit) throws SQLException {
        HeldLock lock = acquire();
        try (Connection connection = transaction(AutoSave.ALWAYS)) {
            post(connection, "before");
            assertThatThrownBy(() -> {
                        if (atCommit) {
                            lock.commitGuarded(connection);
                        } else {
                            lock.guard(connection);
                        }
                    })
                    .isInstanceOfSatisfying(
                            LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.INVALID_ARGUMENT))
                    .hasMessageContaining("autosave=always");
            goOn(connection);
            assertThat(connection.unwrap(PGConnection.class).getAutosave()).isEqualTo(AutoSave.ALWAYS);
        }
        assertThat(entries()).isZero();
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void a_connection_with_autosave_conservative_guards_time_after_time() throws SQLException {
        HeldLock lock = acquire();
        try (Connection connection = transaction(AutoSave.CONSERVATIVE)) {
            for (int i = 0; i < TIMES; i++) {
                lock.guard(connection);
                read(connection);
                post(connection, "entry");
                connection.commit();
            }
            read(connection);
            post(connection, "entry");
            lock.commitGuarded(connection);
        }
        assertThat(entries()).isEqualTo(TIMES + 1);
    }

    @Test
    void after_a_query_before_which_the_driver_has_set_a_savepoint_guard_is_refused_with_the_reason()
            throws SQLException {
        HeldLock lock = acquire();
        try (Connection connection = transaction(AutoSave.CONSERVATIVE)) {
            read(connection);
            read(connection);
            assertThatThrownBy(() -> lock.guard(connection))
                    .isInstanceOf(LockException.class)
                    .hasMessageContaining("autosave=conservative");
            goOn(connection);
        }
        assertThat(entries()).isZero();
    }

    @Test
    void with_autosave_conservative_a_stale_guard_does_not_commit() throws SQLException {
        HeldLock stale = acquire();
        try (Connection connection = transaction(AutoSave.CONSERVATIVE)) {
            for (int i = 0; i < TIMES; i++) {
                stale.guard(connection);
                read(connection);
                connection.commit();
            }
            outlive();
            others.acquire("ledger");
            post(connection, "stale");
            assertThatThrownBy(() -> stale.guard(connection)).isInstanceOf(LockLostException.class);
            goOn(connection);
        }
        assertThat(entries()).isZero();
    }

    private static void read(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("select entry from ledger limit 1");
                ResultSet row = select.executeQuery()) {
            row.next();
        }
    }

    /** What a caller does that swallows the exception. */
    private static void goOn(Connection connection) {
        for (SqlStep step : new SqlStep[] {() -> post(connection, "more"), connection::commit}) {
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
