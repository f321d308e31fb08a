package dev.leasehold.postgres.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockId;
import dev.leasehold.testkit.TestPostgres;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.SocketTimeoutException;
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

    /** PostgreSQL names the values in the detail of a unique violation: here a lock id. */
    @Test
    void a_lock_id_is_in_no_message_of_a_failure_nor_of_its_causes() {
        PGSimpleDataSource database = TestPostgres.newSchema();
        LockSchema.create(database);
        LockId lockId = LockId.generate();
        try (PostgresLocks locks = PostgresLocks.create(database)) {
            assertThat(locks.tryAcquire(AcquireRequest.of("ledger:1").lockId(lockId)))
                    .isPresent();
            assertThatThrownBy(
                            () -> locks.tryAcquire(AcquireRequest.of("ledger:2").lockId(lockId)))
                    .hasMessageContaining("23505")
                    .cause()
                    .satisfies(cause ->
                            assertThat(((SQLException) cause).getSQLState()).isEqualTo("23505"))
                    .satisfies(cause -> assertThat(stackTrace(cause)).doesNotContain(lockId.value(), "ledger:"));
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
