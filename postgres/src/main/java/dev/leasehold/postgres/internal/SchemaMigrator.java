package dev.leasehold.postgres.internal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the tables of locks, or those of queues, to the newest version of the schema with the files in {@code migrations}.
 *
 * <ol>
 *   <li>If the tables are complete and recorded as such, it does nothing and takes no lock.
 *   <li>Otherwise it waits for the advisory lock, under which one migration runs at a time, and looks again.
 *   <li>Tables that are complete, but were created before versions were recorded, are recorded and not altered.
 *   <li>Otherwise it runs the files that are not recorded, each in one transaction. If all are, somebody has dropped something: they are
 *       idempotent, so it runs them again.
 * </ol>
 */
public final class SchemaMigrator {
    private static final Logger log = LoggerFactory.getLogger(SchemaMigrator.class);
    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    private final String table;
    private final List<SchemaMigration> migrations;
    private final Completeness completeness;
    private final Failures failures;

    /**
     * @param table the main table, unquoted: versions are recorded under its name
     * @param files the migrations, in their order, such as {@code V1__locks}
     * @param names the names that take the place of the default ones in the files, both in double quotes
     */
    public SchemaMigrator(
            String table, List<String> files, Map<String, String> names, Completeness completeness, Failures failures) {
        this.table = table;
        this.migrations =
                files.stream().map(file -> SchemaMigration.read(file, names)).toList();
        this.completeness = completeness;
        this.failures = failures;
    }

    /** Whether all tables, columns and indexes exist that the statements need. */
    public interface Completeness {
        boolean isComplete(Connection connection) throws SQLException;
    }

    /** What the database has. */
    private record State(boolean isComplete, boolean isWritable, List<SchemaMigration> unrecorded) {
        /** Without the right to record versions, complete tables are as good as recorded ones. */
        boolean isDone() {
            return isComplete && (unrecorded.isEmpty() || !isWritable);
        }
    }

    /** The files with the names of the tables, for people who run them by themselves. */
    public String sql() {
        return migrations.stream().map(SchemaMigration::text).collect(Collectors.joining("\n"));
    }

    /** Creates what is missing. Safe to repeat, and to run on many nodes at once. */
    public void migrate(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            boolean hasMore = true;
            while (hasMore) {
                hasMore = Transaction.run(connection, this::step);
            }
        } catch (SQLException e) {
            if (INSUFFICIENT_PRIVILEGE.equals(e.getSQLState())) {
                throw missingRight(e);
            }
            throw e;
        }
    }

    /** Waits until no other migration runs, and holds others off until the transaction ends. */
    public static void lock(Connection connection) throws SQLException {
        execute(connection, Sql.read("schema/lock_schema", Map.of()));
    }

    private boolean step(Connection connection) throws SQLException {
        chooseSchema(connection);
        if (state(connection).isDone()) {
            return false;
        }
        lock(connection);
        State state = state(connection);
        if (!state.isComplete) {
            return run(connection, state.unrecorded);
        }
        if (!state.isDone()) {
            for (SchemaMigration migration : state.unrecorded) {
                execute(connection, migration.record());
                log.info("event=schema_recorded table={} version={}", table, migration.version());
            }
        }
        return false;
    }

    /** Runs the first of the files that are not recorded, or all if all are. Returns whether there are more. */
    private boolean run(Connection connection, List<SchemaMigration> unrecorded) throws SQLException {
        for (SchemaMigration migration : unrecorded.isEmpty() ? migrations : unrecorded.subList(0, 1)) {
            execute(connection, migration.text());
            log.info("event=schema_migrated table={} version={}", table, migration.version());
        }
        return unrecorded.size() > 1;
    }

    private State state(Connection connection) throws SQLException {
        boolean isReadable;
        boolean isWritable;
        try (PreparedStatement statement =
                        Sql.load("schema/version_table", Map.of()).prepareOnce(connection, Map.of());
                ResultSet row = statement.executeQuery()) {
            row.next();
            isReadable = row.getBoolean("is_readable");
            isWritable = row.getBoolean("is_writable");
        }
        Set<Integer> recorded = isReadable ? recorded(connection) : Set.of();
        return new State(
                completeness.isComplete(connection),
                isWritable,
                migrations.stream()
                        .filter(migration -> !recorded.contains(migration.version()))
                        .toList());
    }

    /** The versions that are recorded; fails if this build is too old for one of them. */
    private Set<Integer> recorded(Connection connection) throws SQLException {
        Set<Integer> versions = new HashSet<>();
        try (PreparedStatement statement =
                        Sql.load("schema/applied_versions", Map.of()).prepareOnce(connection, Map.of("table", table));
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                if (row.getInt("min_compatible_version") > SchemaMigration.NEWEST) {
                    throw tooOld(row.getInt("version"), row.getInt("min_compatible_version"));
                }
                versions.add(row.getInt("version"));
            }
        }
        return versions;
    }

    private RuntimeException tooOld(int version, int minCompatible) {
        return failures.failure(
                ErrorCategory.INVALID_ARGUMENT,
                "the table \"" + table + "\" has version " + version
                        + " of Leasehold's schema, for builds that know version "
                        + minCompatible + " at least, and this build knows version " + SchemaMigration.NEWEST
                        + ". Nothing was changed. Use a newer version of Leasehold",
                null);
    }

    private RuntimeException missingRight(SQLException e) {
        return failures.failure(
                ErrorCategory.INTERNAL,
                "the schema could not be migrated: " + e.getMessage()
                        + " (the role needs CREATE on the schema and must own the tables of Leasehold that are in it;"
                        + " run 'leasehold migrate', or the files in migrations, with a role that has these rights)",
                e);
    }

    private void chooseSchema(Connection connection) throws SQLException {
        try (PreparedStatement statement = Sql.load("schema/choose_schema", Map.of())
                .prepareOnce(connection, Map.of("table", '"' + table + '"'))) {
            statement.execute();
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
