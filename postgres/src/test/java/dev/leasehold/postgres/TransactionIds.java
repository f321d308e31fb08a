package dev.leasehold.postgres;

import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Whether an operation writes. Transaction ids and the WAL are of the whole server, where others write too; so an operation is
 * repeated until it meets a quiet moment. It takes no more than it was ever seen to take.
 */
public final class TransactionIds implements AutoCloseable {
    private final Connection connection;

    public TransactionIds() throws SQLException {
        connection = TestPostgres.dataSource().getConnection();
    }

    /** The least number of ids that were taken during the operation; it is repeated while there are more than expected. */
    public long leastOf(long expected, Runnable operation) throws SQLException {
        long end = System.nanoTime() + TestWaits.LIMIT.toNanos();
        long least = Long.MAX_VALUE;
        while (least > expected && System.nanoTime() - end < 0) {
            long before = Db.number(connection, "select pg_snapshot_xmax(pg_current_snapshot())::text::bigint");
            operation.run();
            long after = Db.number(connection, "select pg_snapshot_xmax(pg_current_snapshot())::text::bigint");
            least = Math.min(least, after - before);
        }
        return least;
    }

    /** Whether there was a time when nothing at all was written during the operation: no transaction id and no byte of WAL. */
    public boolean writesNothing(Runnable operation) throws SQLException {
        long end = System.nanoTime() + TestWaits.LIMIT.toNanos();
        while (System.nanoTime() - end < 0) {
            String before = written();
            operation.run();
            if (before.equals(written())) {
                return true;
            }
        }
        return false;
    }

    private String written() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select pg_snapshot_xmax(pg_current_snapshot())::text || ' ' || pg_current_wal_insert_lsn()")) {
            row.next();
            return row.getString(1);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
