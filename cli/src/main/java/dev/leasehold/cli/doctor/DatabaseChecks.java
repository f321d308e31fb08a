package dev.leasehold.cli.doctor;

import dev.leasehold.cli.command.PostgresTarget;
import dev.leasehold.postgres.lock.LockSchema;
import dev.leasehold.postgres.lock.LockTables;
import dev.leasehold.postgres.queue.QueueSchema;
import dev.leasehold.postgres.queue.QueueTables;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The checks of a PostgreSQL: whether locks and queues can work there, and what will disturb them. Changes nothing. */
final class DatabaseChecks {
    private static final int OLDEST_VERSION = 14;
    private static final int NEWEST_VERSION = 18;
    private static final Duration OLD = Duration.ofMinutes(5);
    private static final long LEAST_CONNECTIONS = 10;
    private static final int INDEXES_SHOWN = 5;

    /** In the order in which they are shown. */
    private static final List<Check> CHECKS = List.of(
            new Check("version", DatabaseChecks::version),
            new Check("writable", DatabaseChecks::writable),
            new Check("schema", DatabaseChecks::schema),
            new Check("privileges", DatabaseChecks::privileges),
            new Check("indexes", DatabaseChecks::indexes),
            new Check("clock", DatabaseChecks::clock),
            new Check("isolation", DatabaseChecks::isolation),
            new Check("pooler", PoolerProbe::look),
            new Check("durability", database -> durability(database.settings())),
            new Check("transactions", database -> transactions(database, OLD)),
            new Check("prepared", DatabaseChecks::prepared),
            new Check("slots", DatabaseChecks::slots),
            new Check("vacuum", DatabaseChecks::vacuum),
            new Check("connections", DatabaseChecks::connections));

    private DatabaseChecks() {}

    /** One check. */
    private record Check(String name, Probe probe) {}

    @FunctionalInterface
    private interface Probe {
        Verdict look(Database database) throws SQLException;
    }

    /** Verdicts by the name of the check. A check that fails itself is a warning, and does not prevent the others. */
    static Map<String, Verdict> examine(PostgresTarget target) {
        Map<String, Verdict> verdicts = new LinkedHashMap<>();
        long started = System.nanoTime();
        try (Connection connection = target.dataSource().getConnection()) {
            Database database = new Database(target.dataSource(), connection);
            verdicts.put("connection", connected(database, target.display(), System.nanoTime() - started));
            CHECKS.forEach(check -> verdicts.put(check.name(), look(check, database)));
        } catch (SQLException e) {
            verdicts.put("connection", refused(target.display(), String.valueOf(e.getMessage())));
        }
        return verdicts;
    }

    private static Verdict look(Check check, Database database) {
        try {
            return check.probe().look(database);
        } catch (SQLException e) {
            return Verdict.warn("could not be checked: " + e.getMessage(), "look at what PostgreSQL says of it");
        }
    }

    private static Verdict connected(Database database, String display, long nanos) throws SQLException {
        database.askOne("clock", row -> row.getLong("now_ms"));
        long before = System.nanoTime();
        database.askOne("clock", row -> row.getLong("now_ms"));
        double trip = (System.nanoTime() - before) / 1e6;
        long connect = TimeUnit.NANOSECONDS.toMillis(nanos);
        return Verdict.ok(
                String.format(Locale.ROOT, "%s, connected in %d ms, a question takes %.1f ms", display, connect, trip));
    }

    private static Verdict refused(String display, String message) {
        return Verdict.fail(
                display + ": " + message,
                message.contains("startup parameter")
                        ? "a pooler is in between and refuses what the address asks for: leave it out there, and set it"
                                + " for the role, for example alter role … set search_path = …"
                        : "check host, port, user and password, and pg_hba.conf of the server");
    }

    private static Verdict version(Database database) throws SQLException {
        return database.askOne("server", row -> version(row.getInt("version_num") / 10_000, row.getString("version")));
    }

    static Verdict version(int major, String version) {
        String found = "PostgreSQL " + version;
        if (major < OLDEST_VERSION) {
            return Verdict.fail(found, "upgrade to PostgreSQL " + OLDEST_VERSION + " or later");
        }
        return major > NEWEST_VERSION
                ? Verdict.warn(
                        found, "versions " + OLDEST_VERSION + " to " + NEWEST_VERSION + " are tested, this one is not")
                : Verdict.ok(found);
    }

    private static Verdict writable(Database database) throws SQLException {
        return database.askOne("server", row -> writable(row.getBoolean("standby"), row.getBoolean("read_only")));
    }

    /** A standby cannot grant locks. */
    static Verdict writable(boolean standby, boolean readOnly) {
        if (standby) {
            return Verdict.fail("a standby", "name the primary, or all hosts with target_session_attrs=read-write");
        }
        return readOnly
                ? Verdict.fail("transactions are read-only", "set default_transaction_read_only to off for this role")
                : Verdict.ok("a primary, transactions may write");
    }

    private static Verdict schema(Database database) throws SQLException {
        boolean locks = LockSchema.isComplete(database.connection(), LockTables.DEFAULT);
        boolean queues = QueueSchema.isComplete(database.connection(), QueueTables.DEFAULT);
        return locks && queues
                ? Verdict.ok("the tables of locks and queues are complete")
                : Verdict.fail(
                        "not complete: the tables of " + (locks ? "queues" : queues ? "locks" : "locks and queues"),
                        "run 'leasehold migrate' with the same --url; if the tables are in another schema, name it in"
                                + " the search path: ?currentSchema=…");
    }

    private static Verdict privileges(Database database) throws SQLException {
        List<String> missing = database.ask("privileges", row -> row.getString("missing"));
        return missing.isEmpty()
                ? Verdict.ok("the role may read and write the tables, and create tables of items")
                : Verdict.fail(
                        "the role lacks " + String.join(", ", missing),
                        "grant select, insert, update, delete on the tables, usage on the sequence, and create on the"
                                + " schema (queues bring their own tables)");
    }

    /** Those of the tables of items: all others are part of the schema. */
    private static Verdict indexes(Database database) throws SQLException {
        List<String> invalid = database.ask("invalid_indexes", row -> row.getString("index_name"));
        if (!invalid.isEmpty()) {
            return Verdict.fail("invalid: " + some(invalid), "rebuild each with 'reindex index concurrently NAME'");
        }
        List<Map.Entry<String, String>> missing = database.ask(
                "missing_indexes", row -> Map.entry(row.getString("index_name"), row.getString("statement")));
        return missing.isEmpty()
                ? Verdict.ok("all there and valid")
                : Verdict.fail(
                        "missing: "
                                + some(missing.stream().map(Map.Entry::getKey).toList())
                                + "; leases and sweeps read whole tables",
                        missing.stream().map(Map.Entry::getValue).collect(Collectors.joining("; ")));
    }

    private static String some(List<String> names) {
        List<String> first = names.subList(0, Math.min(INDEXES_SHOWN, names.size()));
        int more = names.size() - first.size();
        return String.join(", ", first) + (more > 0 ? " and " + more + " more" : "");
    }

    /** Only to know: leases and expiries go by the clock of the database. */
    private static Verdict clock(Database database) throws SQLException {
        long before = System.currentTimeMillis();
        long there = database.askOne("clock", row -> row.getLong("now_ms"));
        long after = System.currentTimeMillis();
        double ahead = (there - (before + after) / 2.0) / 1000;
        return Verdict.ok(String.format(
                Locale.ROOT,
                "the database is %.3f s %s this machine; leases and expiries go by the database",
                Math.abs(ahead),
                ahead < 0 ? "behind" : "ahead of"));
    }

    private static Verdict isolation(Database database) throws SQLException {
        String level = database.settings().getOrDefault("default_transaction_isolation", "unknown");
        return level.equals("read committed")
                ? Verdict.ok(level)
                : Verdict.warn(
                        "the default is " + level
                                + ": Leasehold's own transactions are read committed all the same, but yours that guard"
                                + " a lock or change a queue may fail with 40001 and have to be repeated",
                        "alter role … set default_transaction_isolation = 'read committed'");
    }

    /** Without it a crash can take back a fence, which is then given a second time: a stale holder gets through. */
    static Verdict durability(Map<String, String> settings) {
        List<String> off = List.of("fsync", "full_page_writes").stream()
                .filter(name -> "off".equals(settings.get(name)))
                .toList();
        if (!off.isEmpty()) {
            return Verdict.fail(
                    String.join(" and ", off) + " off: a crash can destroy the database",
                    "switch " + String.join(" and ", off) + " on in postgresql.conf");
        }
        return "off".equals(settings.get("synchronous_commit"))
                ? Verdict.fail(
                        "synchronous_commit is off: a crash takes back grants, fences and items that were acknowledged",
                        "alter role … set synchronous_commit = on")
                : Verdict.ok("what is acknowledged is on disk");
    }

    /** Open transactions keep vacuum from removing dead rows: queues get slow. */
    static Verdict transactions(Database database, Duration old) throws SQLException {
        List<String> found = database.ask(
                "old_transactions",
                row -> "pid " + row.getInt("pid") + " (" + row.getString("role") + ", " + row.getString("state") + ", "
                        + row.getLong("seconds") + " s)",
                old.toSeconds());
        long hidden = database.askOne("hidden_sessions", row -> row.getLong("hidden"));
        if (!found.isEmpty()) {
            return Verdict.warn(
                    "open for long, they hold back vacuum: " + String.join(", ", found),
                    "end them, with pg_terminate_backend(PID) if need be, and set idle_in_transaction_session_timeout");
        }
        return hidden > 0
                ? Verdict.warn(
                        "none is old, but " + hidden + " session(s) of other roles could not be seen",
                        "grant pg_read_all_stats to this role, or run this as another")
                : Verdict.ok("none has been open for " + old.toSeconds() + " s");
    }

    private static Verdict prepared(Database database) throws SQLException {
        List<String> found = database.ask(
                "prepared_transactions",
                row -> "'" + row.getString("gid") + "' (" + row.getLong("seconds") + " s)",
                OLD.toSeconds());
        return found.isEmpty()
                ? Verdict.ok("no prepared transaction is old")
                : Verdict.warn(
                        "prepared and never ended, they hold back vacuum: " + String.join(", ", found),
                        "end each with 'commit prepared' or 'rollback prepared'");
    }

    /** They hold back vacuum, and fill the disk. */
    private static Verdict slots(Database database) throws SQLException {
        List<String> found = database.ask("replication_slots", row -> row.getString("slot_name"));
        return found.isEmpty()
                ? Verdict.ok("no replication slot holds anything back")
                : Verdict.warn(
                        "without a reader, or holding back vacuum: " + String.join(", ", found),
                        "start the reader again, or drop the slot with pg_drop_replication_slot");
    }

    private static Verdict vacuum(Database database) throws SQLException {
        if ("off".equals(database.settings().get("autovacuum"))) {
            return Verdict.fail("autovacuum is off", "switch autovacuum on in postgresql.conf");
        }
        String found = database
                .ask(
                        "dead_tuples",
                        row -> row.getString("table_name") + " (" + row.getLong("dead") + " dead, "
                                + row.getLong("live") + " live, last vacuum " + row.getString("last_vacuum") + ")")
                .stream()
                .collect(Collectors.joining(", "));
        return found.isEmpty()
                ? Verdict.ok("keeps up with the tables of locks and queues")
                : Verdict.warn(
                        "does not keep up: " + found,
                        "look for what holds it back (transactions, prepared, slots), then run 'vacuum' on them");
    }

    private static Verdict connections(Database database) throws SQLException {
        return database.askOne("connections", row -> connections(row.getLong("used"), row.getLong("usable")));
    }

    static Verdict connections(long used, long usable) {
        String found = used + " of " + usable + " in use";
        return usable - used >= LEAST_CONNECTIONS
                ? Verdict.ok(found)
                : Verdict.warn(found, "raise max_connections, make pools smaller, or put a pooler in between");
    }
}
