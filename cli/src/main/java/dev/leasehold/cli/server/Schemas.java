package dev.leasehold.cli.server;

import dev.leasehold.LeaseholdException;
import dev.leasehold.cli.config.Storage.Store;
import dev.leasehold.postgres.lock.LockSchema;
import dev.leasehold.postgres.lock.LockTables;
import dev.leasehold.postgres.queue.QueueSchema;
import dev.leasehold.postgres.queue.QueueTables;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The tables: created if they are missing, or with {@code migrate} switched off only looked for. */
final class Schemas {
    private Schemas() {}

    private interface Check {
        boolean isComplete(Connection connection) throws SQLException;
    }

    static void prepareLocks(DataSource pool, Store store, boolean migrate) {
        prepare(
                pool,
                store,
                migrate,
                () -> LockSchema.create(pool),
                connection -> LockSchema.isComplete(connection, LockTables.DEFAULT));
    }

    /** The view for readers of LockServiceCentral's table. */
    static void prepareView(DataSource pool, Store store, String view) {
        try {
            LockSchema.createView(pool, LockTables.DEFAULT, view);
        } catch (LeaseholdException e) {
            throw new StartException(
                    "could not create the view '" + view + "' (locker.postgres.tableName) in the database "
                            + store.url().display() + ": " + e.getMessage(),
                    e);
        }
    }

    static void prepareQueues(DataSource pool, Store store, boolean migrate) {
        prepare(
                pool,
                store,
                migrate,
                () -> QueueSchema.create(pool),
                connection -> QueueSchema.isComplete(connection, QueueTables.DEFAULT));
    }

    private static void prepare(DataSource pool, Store store, boolean migrate, Runnable create, Check check) {
        try {
            if (migrate) {
                create.run();
            } else {
                requireComplete(pool, store, check);
            }
        } catch (LeaseholdException e) {
            throw new StartException(
                    "could not prepare the database " + store.url().display() + ": " + e.getMessage(), e);
        }
    }

    private static void requireComplete(DataSource pool, Store store, Check check) {
        try (Connection connection = pool.getConnection()) {
            if (!check.isComplete(connection)) {
                throw new StartException(
                        "tables are missing in the database " + store.url().display() + " (the store '" + store.name()
                                + "'), and --no-migrate forbids to create them; run 'leasehold migrate' with its"
                                + " address, or the files in migrations, or start without --no-migrate",
                        null);
            }
        } catch (SQLException e) {
            throw new StartException(
                    "could not look at the tables of " + store.url().display() + ": " + e.getMessage(), e);
        }
    }
}
