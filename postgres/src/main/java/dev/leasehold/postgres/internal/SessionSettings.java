package dev.leasehold.postgres.internal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the engine's statements need of their session: short timeouts, plans that are pinned to the indexes, and READ COMMITTED for
 * transactions that do not say, whatever the role or the pool has as its default.
 *
 * <p>The session belongs to somebody else's pool. So it is given back with the values that were found, read and replaced in one
 * statement.
 */
final class SessionSettings {
    /** How long a statement waits for a lock. */
    static final String LOCK_TIMEOUT = "100ms";

    private static final Sql REPLACE = Sql.load("session/replace", Map.of());
    private static final Sql RESTORE = Sql.load("session/restore", Map.of());

    private final Map<String, String> found = new TreeMap<>();

    private SessionSettings() {}

    /** Sets them for the session, and remembers what was there. */
    static SessionSettings replace(Connection connection, long statementTimeoutMs) throws SQLException {
        Map<String, String> wanted = new TreeMap<>(ofStatements(statementTimeoutMs));
        wanted.put("default_transaction_isolation", "read committed");
        SessionSettings settings = new SessionSettings();
        Map<String, String[]> values = Map.of("names", names(wanted), "wanted", values(wanted));
        try (PreparedStatement replace = REPLACE.prepareOnce(connection, values);
                ResultSet row = replace.executeQuery()) {
            while (row.next()) {
                settings.found.put(Rows.text(row, "name"), Rows.text(row, "setting"));
            }
        }
        return settings;
    }

    /** The session is as it was found. */
    void restore(Connection connection) throws SQLException {
        Map<String, String[]> values = Map.of("names", names(found), "settings", values(found));
        try (PreparedStatement restore = RESTORE.prepareOnce(connection, values)) {
            restore.execute();
        }
    }

    private static String[] names(Map<String, String> settings) {
        return settings.keySet().toArray(String[]::new);
    }

    private static String[] values(Map<String, String> settings) {
        return settings.values().toArray(String[]::new);
    }

    /** The same as a list of expressions, for a transaction that brings them along if {@code local} is "true". */
    static String text(String local, long statementTimeoutMs) {
        List<String> expressions = new ArrayList<>();
        new TreeMap<>(ofStatements(statementTimeoutMs))
                .forEach((name, value) -> expressions.add("set_config('%s', '%s', %s)".formatted(name, value, local)));
        return String.join(", ", expressions);
    }

    private static Map<String, String> ofStatements(long statementTimeoutMs) {
        return Map.of(
                "lock_timeout", LOCK_TIMEOUT,
                "statement_timeout", statementTimeoutMs + "ms",
                "plan_cache_mode", "force_generic_plan",
                "enable_seqscan", "off",
                "enable_bitmapscan", "off",
                "jit", "off");
    }
}
