package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.Rows;
import dev.leasehold.postgres.internal.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pooled connection in autocommit mode with a network timeout; closing restores its settings and returns it to the pool.
 *
 * <p>No statement on it is prepared under a name, not even a commit: behind a pooler the server session, and so the name, may be another
 * client's.
 */
record BorrowedConnection(Connection connection, boolean autoCommit, int networkTimeout, int prepareThreshold)
        implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(BorrowedConnection.class);

    static BorrowedConnection from(DataSource dataSource, Duration timeout) throws SQLException {
        Connection connection = dataSource.getConnection();
        try {
            PGConnection postgres = connection.unwrap(PGConnection.class);
            BorrowedConnection borrowed = new BorrowedConnection(
                    connection,
                    connection.getAutoCommit(),
                    connection.getNetworkTimeout(),
                    postgres.getPrepareThreshold());
            postgres.setPrepareThreshold(0);
            connection.setAutoCommit(true);
            connection.setNetworkTimeout(Runnable::run, (int) timeout.toMillis());
            return borrowed;
        } catch (SQLException | RuntimeException | Error e) {
            connection.close();
            throw e;
        }
    }

    /** Makes something of one row. */
    interface RowReader<R> {
        R read(ResultSet row) throws SQLException;
    }

    /** Runs a file as a transaction of its own, in one message, and returns what the rows of its last statement are read as. */
    <R> List<R> query(Sql sql, Map<String, ? extends @Nullable Object> values, RowReader<R> reader)
            throws SQLException {
        List<R> all = new ArrayList<>();
        try (PreparedStatement message = sql.prepareTransaction(connection, values)) {
            List<ResultSet> sets = Rows.of(message);
            if (!sets.isEmpty()) {
                ResultSet row = sets.get(sets.size() - 1);
                while (row.next()) {
                    all.add(reader.read(row));
                }
            }
            return all;
        } catch (SQLException | RuntimeException | Error e) {
            rollback();
            throw e;
        }
    }

    /** Ends the transaction that a failed message has left open. */
    private void rollback() {
        try (Statement statement = connection.createStatement()) {
            statement.execute("rollback");
        } catch (SQLException | RuntimeException | Error e) {
            log.debug("event=rollback_failed", e);
        }
    }

    /** A failure means that the connection is broken, which its last statement has reported already. */
    @Override
    public void close() {
        try (connection) {
            connection.setNetworkTimeout(Runnable::run, networkTimeout);
            connection.setAutoCommit(autoCommit);
            connection.unwrap(PGConnection.class).setPrepareThreshold(prepareThreshold);
        } catch (SQLException | RuntimeException | Error e) {
            log.debug("event=give_back_failed", e);
        }
    }
}
