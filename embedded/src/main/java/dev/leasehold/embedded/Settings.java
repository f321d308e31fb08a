package dev.leasehold.embedded;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What the server is told on its command line, which beats every file: durable, for this machine alone, and no values of
 * statements in its log.
 *
 * @param more settings beside these; they do not overrule them
 */
record Settings(Map<String, String> more) {
    private static final String COLUMN = "setting";

    Settings {
        more = Map.copyOf(more);
    }

    Map<String, String> at(int port) {
        Map<String, String> settings = new LinkedHashMap<>(more);
        settings.put("fsync", "on");
        settings.put("synchronous_commit", "on");
        settings.put("full_page_writes", "on");
        settings.put("listen_addresses", "127.0.0.1");
        settings.put("unix_socket_directories", "");
        settings.put("log_error_verbosity", "terse");
        settings.put("log_min_error_statement", "panic");
        settings.put("log_parameter_max_length", "0");
        settings.put("log_parameter_max_length_on_error", "0");
        settings.put("port", Integer.toString(port));
        return settings;
    }

    /** As options of the server, for a shell. */
    String options(int port) {
        return at(port).entrySet().stream()
                .map(setting ->
                        "-c " + setting.getKey() + "='" + setting.getValue().replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
    }

    /** Whether a server runs with these settings on that cluster. */
    static boolean areThoseOf(Connection connection, Map<String, String> wanted) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (Map.Entry<String, String> setting : wanted.entrySet()) {
                try (ResultSet row =
                        statement.executeQuery("select current_setting('" + setting.getKey() + "') as " + COLUMN)) {
                    row.next();
                    if (!setting.getValue().equals(row.getString(COLUMN))) {
                        return false;
                    }
                }
            }
        }
        return true;
    }
}
