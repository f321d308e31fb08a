package dev.leasehold.cli.doctor;

import dev.leasehold.postgres.lock.LockSchema;
import dev.leasehold.postgres.lock.LockTables;
import dev.leasehold.postgres.queue.QueueSchema;
import dev.leasehold.postgres.queue.QueueTables;
import java.sql.SQLException;

/** Whether the tables are there, with every column and index that the statements need. */
final class SchemaCheck implements Check {
    @Override
    public String name() {
        return "schema";
    }

    @Override
    public Verdict look(Database database) throws SQLException {
        boolean locks = LockSchema.isComplete(database.connection(), LockTables.DEFAULT);
        boolean queues = QueueSchema.isComplete(database.connection(), QueueTables.DEFAULT);
        if (locks && queues) {
            return Verdict.ok("the tables of locks and queues are complete");
        }
        return Verdict.fail(
                "not complete: the tables of " + (locks ? "queues" : queues ? "locks" : "locks and queues"),
                "run 'leasehold migrate' with the same --url; if the tables are in another schema, name it in the search"
                        + " path: ?currentSchema=…");
    }
}
