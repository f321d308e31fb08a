package dev.leasehold.cli.command;

import dev.leasehold.cli.config.PostgresUrl;
import dev.leasehold.lock.Locks;
import dev.leasehold.postgres.lock.LockSchema;
import dev.leasehold.postgres.lock.LockTables;
import dev.leasehold.postgres.lock.PostgresLocks;
import dev.leasehold.postgres.queue.PostgresQueues;
import dev.leasehold.postgres.queue.QueueSchema;
import dev.leasehold.postgres.queue.QueueTables;
import dev.leasehold.queue.Queues;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A PostgreSQL to work on without a server in between. Its tables must be there: a command never creates them in passing. */
public final class PostgresTarget {
    private static final int CONNECT_SECONDS = 10;

    private final PostgresUrl url;
    private final PGSimpleDataSource dataSource = new PGSimpleDataSource();

    private PostgresTarget(PostgresUrl url) {
        this.url = url;
        dataSource.setApplicationName("leasehold");
        dataSource.setConnectTimeout(CONNECT_SECONDS);
        dataSource.setUrl(url.jdbcUrl());
        dataSource.setUser(url.user());
        dataSource.setPassword(url.password());
    }

    static PostgresTarget at(PostgresUrl url) {
        PostgresTarget target = new PostgresTarget(url);
        try {
            for (var parameter : url.parameters().entrySet()) {
                target.dataSource.setProperty(parameter.getKey(), parameter.getValue());
            }
            target.dataSource.setLogServerErrorDetail(false); // details quote values: lock ids, keys
        } catch (SQLException e) {
            throw CliException.usage("--url has a parameter that the driver refuses: " + e.getMessage());
        }
        return target;
    }

    Locks locks() {
        need("locks", connection -> LockSchema.isComplete(connection, LockTables.DEFAULT));
        return PostgresLocks.create(dataSource);
    }

    Queues queues() {
        need("queues", connection -> QueueSchema.isComplete(connection, QueueTables.DEFAULT));
        return PostgresQueues.create(dataSource);
    }

    /** Connections to it, each opened when it is asked for. */
    public DataSource dataSource() {
        return dataSource;
    }

    /** Its address without anything secret. */
    public String display() {
        return url.display();
    }

    /** Something to find out of a database. */
    @FunctionalInterface
    private interface Question {
        boolean ask(Connection connection) throws SQLException;
    }

    private void need(String what, Question isComplete) {
        try (Connection connection = dataSource.getConnection()) {
            if (!isComplete.ask(connection)) {
                throw CliException.failed("The tables of " + what + " are not all there in " + display()
                        + ": run 'leasehold migrate' with the same --url first");
            }
        } catch (SQLException e) {
            throw CliException.failed("The database " + display() + " could not be used: " + e.getMessage(), e);
        }
    }
}
