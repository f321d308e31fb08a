package dev.leasehold.postgres.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockId;
import dev.leasehold.testkit.TestPostgres;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Every failure of PostgreSQL is told by the code that says what to do about it. */
class LockFailuresTest {
    @ParameterizedTest
    @CsvSource({
        "08000, SERVICE_UNAVAILABLE",
        "08001, SERVICE_UNAVAILABLE",
        "08006, SERVICE_UNAVAILABLE",
        "57P01, SERVICE_UNAVAILABLE",
        "57P02, SERVICE_UNAVAILABLE",
        "57P03, SERVICE_UNAVAILABLE",
        "25006, SERVICE_UNAVAILABLE",
        "40001, SERVICE_UNAVAILABLE",
        "40P01, SERVICE_UNAVAILABLE",
        "53000, SERVICE_UNAVAILABLE",
        "53100, SERVICE_UNAVAILABLE",
        "53200, SERVICE_UNAVAILABLE",
        "53400, SERVICE_UNAVAILABLE",
        "55006, SERVICE_UNAVAILABLE",
        "53300, RATE_LIMITED",
        "57014, NETWORK_TIMEOUT",
        "28000, AUTH_FAILED",
        "28P01, AUTH_FAILED",
        "22000, INVALID_ARGUMENT",
        "22021, INVALID_ARGUMENT",
        "23502, INVALID_ARGUMENT",
        "23505, INTERNAL",
        "42P01, INVALID_ARGUMENT",
        "42703, INVALID_ARGUMENT",
        "42883, INVALID_ARGUMENT",
        "3D000, INVALID_ARGUMENT",
        "3F000, INVALID_ARGUMENT",
        "42501, INTERNAL",
        "XX000, INTERNAL"
    })
    void an_sqlstate_has_its_code(String state, LockErrorCode code) {
        SQLException cause = new SQLException("what happened", state);
        LockException mapped = LockFailures.map(cause);
        assertThat(mapped.code()).isEqualTo(code);
        assertThat(mapped).hasCause(cause).hasMessageContaining("what happened").hasMessageContaining(state);
    }

    @Test
    void a_socket_that_timed_out_is_a_timeout_whatever_the_driver_calls_it() {
        SQLException cause = new SQLException("an I/O error occurred", "08006", new SocketTimeoutException());
        assertThat(LockFailures.map(cause).code()).isEqualTo(LockErrorCode.NETWORK_TIMEOUT);
    }

    @Test
    void a_pool_that_is_exhausted_limits_the_rate() {
        SQLException cause = new SQLTransientConnectionException("no connection in time");
        assertThat(LockFailures.map(cause).code()).isEqualTo(LockErrorCode.RATE_LIMITED);
    }

    @Test
    void a_pool_that_cannot_connect_tells_why() {
        SQLException cause =
                new SQLTransientConnectionException("no connection in time", new SQLException("refused", "08001"));
        assertThat(LockFailures.map(cause).code()).isEqualTo(LockErrorCode.SERVICE_UNAVAILABLE);
    }

    /** PostgreSQL names the values in the detail of a unique violation: here a key. */
    @Test
    void a_value_in_the_detail_is_in_no_message_of_a_failure_nor_of_its_causes() throws SQLException {
        SQLException violation = duplicate("ledger:7", LockId.generate(), "ledger:7", LockId.generate());
        assertThat(violation.getMessage()).contains("ledger:7");

        LockException mapped = LockFailures.map(violation);
        assertThat(mapped.code()).isEqualTo(LockErrorCode.INTERNAL);
        assertThat(mapped).hasMessageContaining("23505").hasRootCauseInstanceOf(SQLException.class);
        assertThat(stackTrace(mapped)).doesNotContain("ledger:7");
    }

    /** Two acquires at the same time, which acquire.sql does not see of each other. */
    @Test
    void a_lock_id_that_another_key_has_is_a_wrong_argument() throws SQLException {
        LockId lockId = LockId.generate();
        SQLException violation = duplicate("ledger:1", lockId, "ledger:2", lockId);
        assertThat(violation.getMessage()).contains(lockId.value());

        LockException mapped = LockFailures.map(violation);
        assertThat(mapped.code()).isEqualTo(LockErrorCode.INVALID_ARGUMENT);
        assertThat(mapped).hasNoCause();
        assertThat(stackTrace(mapped)).doesNotContain(lockId.value());
    }

    /** What PostgreSQL says when the second row cannot be inserted beside the first. */
    private static SQLException duplicate(String key, LockId lockId, String otherKey, LockId otherId)
            throws SQLException {
        PGSimpleDataSource database = TestPostgres.newSchema();
        LockSchema.create(database);
        try (Connection connection = database.getConnection()) {
            insert(connection, key, lockId);
            return catchThrowableOfType(SQLException.class, () -> insert(connection, otherKey, otherId));
        }
    }

    private static void insert(Connection connection, String key, LockId lockId) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into syncguard_locks (key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key)"
                        + " values (?, ?, 1, 1, '1', '')")) {
            insert.setString(1, key);
            insert.setString(2, lockId.value());
            insert.executeUpdate();
        }
    }

    private static String stackTrace(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @Test
    void a_missing_table_comes_with_what_to_do() {
        assertThat(LockFailures.map(new SQLException("relation does not exist", "42P01")))
                .hasMessageContaining("LockSchema.create");
    }
}
