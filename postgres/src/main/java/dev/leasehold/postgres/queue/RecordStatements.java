package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.queue.spi.QueueRecord;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs the statements on records of queues, each as a transaction of its own on a connection that is borrowed for it. */
final class RecordStatements {
    private RecordStatements() {}

    static List<QueueRecord> query(
            QueueEngine engine, String statementName, Map<String, ? extends @Nullable Object> values)
            throws SQLException {
        return engine.background.query(sql(engine, statementName), withNow(engine, values), QueueRows::queue);
    }

    /**
     * What a change says of the row that it has changed, if there was one. It is tried again while others have locked what it needs.
     */
    static <R> Optional<R> change(
            QueueEngine engine,
            String name,
            Map<String, ? extends @Nullable Object> values,
            BorrowedConnection.RowReader<R> reader)
            throws SQLException {
        Sql sql = sql(engine, name);
        Map<String, @Nullable Object> all = withNow(engine, values);
        return engine.background.untilUnlocked(
                () -> engine.background.query(sql, all, reader).stream().findFirst());
    }

    static void execute(QueueEngine engine, String statementName, Map<String, ? extends @Nullable Object> values)
            throws SQLException {
        engine.background.query(sql(engine, statementName), withNow(engine, values), row -> true);
    }

    private static Map<String, @Nullable Object> withNow(
            QueueEngine engine, Map<String, ? extends @Nullable Object> values) {
        Map<String, @Nullable Object> all = new HashMap<>(values);
        all.put("now", engine.config().clock().now());
        return all;
    }

    static Sql sql(QueueEngine engine, String name) {
        return Sql.load("queue/" + name, engine.config().tables().placeholders());
    }
}
