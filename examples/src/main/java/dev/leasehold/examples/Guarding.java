package dev.leasehold.examples;

import static dev.leasehold.examples.Story.execute;
import static dev.leasehold.examples.Story.say;

import dev.leasehold.lock.HeldLock;
import dev.leasehold.postgres.lock.LockSchema;
import dev.leasehold.postgres.lock.PostgresLocks;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** The lock inside the caller's own transaction: guarded until the commit, and given back by the commit. */
public final class Guarding {
    private Guarding() {}

    public static void main(String[] args) throws SQLException {
        DataSource dataSource = TestPostgres.newSchema();
        LockSchema.create(dataSource);
        try (PostgresLocks locks = PostgresLocks.create(dataSource);
                Connection connection = dataSource.getConnection()) {
            execute(connection, "create table ledger (entry text)");
            connection.setAutoCommit(false);
            heldUntilTheCommit(locks, connection);
            givenBackByTheCommit(locks, connection);
            keptByARollback(locks, connection);
        }
    }

    private static void heldUntilTheCommit(PostgresLocks locks, Connection connection) throws SQLException {
        try (HeldLock lock = locks.acquire("ledger:7")) {
            lock.guard(connection);
            execute(connection, "insert into ledger values ('one')");
            boolean renewed = lock.extend(Duration.ofSeconds(30));
            say("Guarded: nobody can take the lock before the commit, and extending it works: %s.", renewed);
            connection.commit();
        }
        say("Committed, then released: locked is %s.", locks.isLocked("ledger:7"));
    }

    private static void givenBackByTheCommit(PostgresLocks locks, Connection connection) throws SQLException {
        try (HeldLock lock = locks.acquire("ledger:7")) {
            lock.guard(connection);
            execute(connection, "insert into ledger values ('two')");
            lock.releaseIn(connection);
            say("Released in the transaction: before the commit locked is %s,", locks.isLocked("ledger:7"));
            connection.commit();
            say("after it %s. One commit did both.", locks.isLocked("ledger:7"));
        }
    }

    private static void keptByARollback(PostgresLocks locks, Connection connection) throws SQLException {
        try (HeldLock lock = locks.acquire("ledger:7")) {
            lock.releaseIn(connection);
            connection.rollback();
            say(
                    "Rolled back: the release did not happen, locked is %s; close gives it back.",
                    locks.isLocked("ledger:7"));
        }
    }
}
