package dev.leasehold.cli.doctor;

import dev.leasehold.cli.verb.PostgresTarget;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** Looks at a PostgreSQL: whether locks and queues can work there, and what will trouble them. */
final class DatabaseDoctor {
    private static final Duration OLD = Duration.ofMinutes(5);

    private static final List<Check> CHECKS = List.of(
            new VersionCheck(),
            new WritableCheck(),
            new SchemaCheck(),
            new PrivilegesCheck(),
            new IndexesCheck(),
            new ClockCheck(),
            new IsolationCheck(),
            new PoolerCheck(),
            new DurabilityCheck(),
            new OldTransactionsCheck(OLD),
            new PreparedTransactionsCheck(OLD),
            new ReplicationSlotsCheck(),
            new DeadTuplesCheck(),
            new HeadroomCheck());

    private DatabaseDoctor() {}

    static List<Finding> examine(PostgresTarget target) {
        return examine(target.dataSource(), target.display());
    }

    private static List<Finding> examine(DataSource dataSource, String display) {
        long started = System.nanoTime();
        try (Connection connection = dataSource.getConnection()) {
            Database database = new Database(dataSource, connection);
            Finding connected = new Finding("connection", new ConnectionCheck(display, started).look(database));
            return Stream.concat(Stream.of(connected), CHECKS.stream().map(check -> look(check, database)))
                    .toList();
        } catch (SQLException e) {
            return List.of(new Finding("connection", ConnectionCheck.refused(display, e)));
        }
    }

    /** A check that cannot be made is told, and does not keep the others from being made. */
    static Finding look(Check check, Database database) {
        try {
            return new Finding(check.name(), check.look(database));
        } catch (SQLException e) {
            return new Finding(
                    check.name(),
                    Verdict.warn("could not be checked: " + e.getMessage(), "look at what PostgreSQL says of it"));
        }
    }
}
