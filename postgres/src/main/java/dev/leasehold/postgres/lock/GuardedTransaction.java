package dev.leasehold.postgres.lock;

import dev.leasehold.postgres.internal.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Map;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * The transaction in which a lock was guarded last.
 *
 * @param began when it began: {@code now()}, the same for all its statements
 */
record GuardedTransaction(Thread thread, Connection connection, OffsetDateTime began) {
    /** The transaction of {@code row}, which has the column {@code began}. */
    static GuardedTransaction of(Connection connection, ResultSet row) throws SQLException {
        return new GuardedTransaction(Thread.currentThread(), connection, row.getObject("began", OffsetDateTime.class));
    }

    /**
     * Whether it is open, and this thread's. The driver knows whether its connection is in a transaction; only if it is, the
     * database is asked whether it is the same one. A failed transaction counts as the same: it can only end.
     */
    boolean isOpenHere(Sql transactionBegan) {
        if (Thread.currentThread() != thread) {
            return false;
        }
        try {
            if (connection.isClosed() || connection.getAutoCommit()) {
                return false;
            }
            TransactionState state = connection.unwrap(BaseConnection.class).getTransactionState();
            return state == TransactionState.FAILED || (state == TransactionState.OPEN && isTheSame(transactionBegan));
        } catch (SQLException e) {
            return false; // then an ordinary release finds out
        }
    }

    private boolean isTheSame(Sql transactionBegan) throws SQLException {
        try (PreparedStatement statement = transactionBegan.prepare(connection, Map.of());
                ResultSet row = statement.executeQuery()) {
            row.next();
            return began.equals(row.getObject("began", OffsetDateTime.class));
        }
    }
}
