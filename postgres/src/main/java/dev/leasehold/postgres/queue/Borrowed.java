package dev.leasehold.postgres.queue;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection on which every statement commits for itself and may take so long; closing gives it back as it was.
 *
 * <p>Nothing is prepared under a name on it, not even a commit: behind a pooler that name may be somebody else's.
 */
record Borrowed(Connection connection, boolean autoCommit, int networkTimeout, int prepareThreshold)
        implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Borrowed.class);

    static Borrowed from(DataSource dataSource, Duration timeout) throws SQLException {
        Connection connection = dataSource.getConnection();
        try {
            PGConnection postgres = connection.unwrap(PGConnection.class);
            Borrowed borrowed = new Borrowed(
                    connection,
                    connection.getAutoCommit(),
                    connection.getNetworkTimeout(),
                    postgres.getPrepareThreshold());
            postgres.setPrepareThreshold(0);
            connection.setAutoCommit(true);
            connection.setNetworkTimeout(Runnable::run, (int) timeout.toMillis());
            return borrowed;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** A failure tells of a connection that is broken, and whoever used it has been told. */
    @Override
    public void close() {
        try (connection) {
            connection.setNetworkTimeout(Runnable::run, networkTimeout);
            connection.setAutoCommit(autoCommit);
            connection.unwrap(PGConnection.class).setPrepareThreshold(prepareThreshold);
        } catch (SQLException e) {
            log.debug("event=give_back_failed", e);
        }
    }
}
