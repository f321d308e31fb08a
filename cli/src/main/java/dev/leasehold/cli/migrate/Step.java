package dev.leasehold.cli.migrate;

import dev.leasehold.postgres.lock.LockSchema;
import dev.leasehold.postgres.lock.LockTables;
import dev.leasehold.postgres.queue.QueueSchema;
import dev.leasehold.postgres.queue.QueueTables;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * One part of the schema.
 *
 * @param name what it brings
 * @param sql how, for people who do it themselves
 * @param action does it
 */
record Step(String name, String sql, Action action) {
    /** What became of a step. */
    enum Result {
        CREATED("created"),
        ALREADY_THERE("already there"),
        REFUSED("left alone: something else has that name");

        private final String text;

        Result(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    @FunctionalInterface
    interface Action {
        Result run(DataSource dataSource) throws SQLException;
    }

    @FunctionalInterface
    private interface Question {
        boolean ask(Connection connection) throws SQLException;
    }

    static Step locks() {
        Question isComplete = connection -> LockSchema.isComplete(connection, LockTables.DEFAULT);
        return new Step(
                "lock tables",
                LockSchema.sql(LockTables.DEFAULT),
                dataSource -> unless(isComplete, dataSource, () -> LockSchema.create(dataSource)));
    }

    static Step queues() {
        Question isComplete = connection -> QueueSchema.isComplete(connection, QueueTables.DEFAULT);
        return new Step(
                "queue tables",
                QueueSchema.sql(QueueTables.DEFAULT),
                dataSource -> unless(isComplete, dataSource, () -> QueueSchema.create(dataSource)));
    }

    static Step view(String name) {
        return new Step(
                "view " + name,
                LockSchema.viewSql(LockTables.DEFAULT, name),
                dataSource ->
                        LockSchema.createView(dataSource, LockTables.DEFAULT, name) ? Result.CREATED : Result.REFUSED);
    }

    /** Tables that are complete are migrated, too: their version may not be recorded. */
    private static Result unless(Question isComplete, DataSource dataSource, Runnable migrate) throws SQLException {
        boolean wasComplete;
        try (Connection connection = dataSource.getConnection()) {
            wasComplete = isComplete.ask(connection);
        }
        migrate.run();
        return wasComplete ? Result.ALREADY_THERE : Result.CREATED;
    }

    Result run(DataSource dataSource) throws SQLException {
        return action.run(dataSource);
    }
}
