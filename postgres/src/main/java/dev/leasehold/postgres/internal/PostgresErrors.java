package dev.leasehold.postgres.internal;

import dev.leasehold.LeaseholdException;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** What a failure of PostgreSQL, of the driver or of the pool means to the caller. The cause is always kept, but for its detail. */
public final class PostgresErrors {
    private static final Set<String> UNAVAILABLE =
            Set.of("57P01", "57P02", "57P03", "25006", "40001", "40P01", "53000", "53100", "53200", "53400", "55006");
    private static final String DUPLICATE = "23505";
    private static final Set<String> CONFLICTS = Set.of("40001", "40P01");
    private static final Set<String> INVALID = Set.of("42P01", "42703", "42883", "3D000", "3F000");

    /** What to do, for failures that people meet. */
    private static final Map<String, String> ADVICE = Map.of(
            "42P01",
                    " (create the tables: Leasehold.migrate, LockSchema.create or QueueSchema.create, or run the files in migrations)",
            "42703",
                    " (bring the tables up to date: Leasehold.migrate, LockSchema.create or QueueSchema.create, or run the files in migrations)",
            "25006",
                    " (the database is read-only: a standby, or default_transaction_read_only is on for the server, database or role)",
            "55P03", " (another transaction that is still open has locked what is needed)",
            "42501",
                    " (the role needs SELECT, INSERT, UPDATE and DELETE on the tables; for queues also USAGE and UPDATE on the"
                            + " sequence of versions)");

    /** The same for a table that could not be created, because the schema lets the role only use what is there. */
    private static final String NEEDS_CREATE =
            " (the role needs CREATE on the schema: each partition of a queue is a table that is created at run time)";

    private PostgresErrors() {}

    /** What a failure means, in the words of one side. */
    public static LeaseholdException map(SQLException e, Failures failures) {
        SQLException real = ofPool(e);
        String state = state(real);
        return failures.failure(code(real, state), message(withoutDetail(real), state), withoutDetail(e));
    }

    /** PostgreSQL names values in the detail of an error, a lock id or a key for example. They belong into no message and no log. */
    private static SQLException withoutDetail(SQLException e) {
        ServerErrorMessage told = e instanceof PSQLException ours ? ours.getServerErrorMessage() : null;
        if (told == null || told.getDetail() == null) {
            return e;
        }
        SQLException terse = new PSQLException(told, false);
        terse.setStackTrace(e.getStackTrace());
        return terse;
    }

    /** Whether a row was refused because another one has the same value in the unique index with this ending in its name. */
    public static boolean isDuplicateIn(SQLException e, String indexEnding) {
        ServerErrorMessage told = e instanceof PSQLException ours ? ours.getServerErrorMessage() : null;
        return state(e).equals(DUPLICATE)
                && told != null
                && String.valueOf(told.getConstraint()).endsWith(indexEnding);
    }

    /** A pool wraps why it could not connect; what counts is that, if there is one. */
    static SQLException ofPool(SQLException e) {
        return e instanceof SQLTransientConnectionException && e.getCause() instanceof SQLException cause ? cause : e;
    }

    private static String state(SQLException e) {
        return e.getSQLState() == null ? "" : e.getSQLState();
    }

    private static ErrorCategory code(SQLException e, String state) {
        if (isTimeout(e) || state.equals("57014") || state.equals("55P03")) {
            return ErrorCategory.NETWORK_TIMEOUT;
        }
        if (state.equals("53300") || isExhausted(e, state)) {
            return ErrorCategory.RATE_LIMITED;
        }
        if (state.startsWith("08") || UNAVAILABLE.contains(state)) {
            return ErrorCategory.SERVICE_UNAVAILABLE;
        }
        if (state.startsWith("28")) {
            return ErrorCategory.AUTH_FAILED;
        }
        if (state.equals(DUPLICATE)) {
            return ErrorCategory.INTERNAL;
        }
        if (state.startsWith("22") || state.startsWith("23") || INVALID.contains(state)) {
            return ErrorCategory.INVALID_ARGUMENT;
        }
        return ErrorCategory.INTERNAL;
    }

    private static boolean isExhausted(SQLException e, String state) {
        return e instanceof SQLTransientConnectionException && state.isEmpty();
    }

    private static boolean isTimeout(@Nullable Throwable e) {
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t instanceof SocketTimeoutException) {
                return true;
            }
        }
        return false;
    }

    private static String message(SQLException e, String state) {
        String what = state.isEmpty() ? "PostgreSQL: " : "PostgreSQL " + state + ": ";
        return what + e.getMessage() + advice(e, state);
    }

    private static String advice(SQLException e, String state) {
        boolean isSchema =
                state.equals("42501") && String.valueOf(e.getMessage()).contains(" schema ");
        return isSchema ? NEEDS_CREATE : ADVICE.getOrDefault(state, "");
    }

    /** Whether a member of a group may be the reason, so that the others would succeed without it. */
    static boolean mayBeOneMember(SQLException e) {
        String state = state(e);
        return state.startsWith("22") || state.startsWith("23") || state.equals("40P01") || isLockTimeout(e);
    }

    /** Whether somebody else's transaction held a row or an advisory lock for too long. */
    public static boolean isLockTimeout(SQLException e) {
        return state(e).equals("55P03");
    }

    /** Whether another transaction was in the way, and the same may succeed once more: by a lock, or by what it has read or written. */
    static boolean isConflict(SQLException e) {
        return isLockTimeout(e) || CONFLICTS.contains(state(e));
    }

    /** Whether an optimistic statement failed because its assumption was wrong: it has done nothing. */
    public static boolean isOptimisticMiss(SQLException e) {
        return state(e).equals("22012");
    }

    /** Whether the database could not be reached, or has ended the connection; not that it did not answer in time. */
    static boolean isUnreachable(SQLException e) {
        SQLException real = ofPool(e);
        String state = state(real);
        return (state.startsWith("08") || state.startsWith("57P")) && !isTimeout(real);
    }

    /** Whether the connection is of no more use, and what became of the statement is not known. */
    static boolean isConnectionLost(SQLException e) {
        String state = state(e);
        return state.startsWith("08") || state.startsWith("57P") || isTimeout(e);
    }
}
