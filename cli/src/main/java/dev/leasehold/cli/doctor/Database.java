package dev.leasehold.cli.doctor;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * The database that is looked at.
 *
 * @param connection the one for questions
 * @param dataSource for checks that need connections of their own
 */
record Database(DataSource dataSource, Connection connection) {
    /** Asks what a .sql file asks. */
    <T> List<T> ask(String file, Query.Row<T> row, Object... parameters) throws SQLException {
        return Query.load(file).ask(connection, row, parameters);
    }

    /** Asks what a .sql file asks that has one row. */
    <T> T askOne(String file, Query.Row<T> row) throws SQLException {
        return ask(file, row).get(0);
    }

    /** The settings that checks want to know. */
    Map<String, String> settings() throws SQLException {
        return ask("settings", row -> Map.entry(row.getString("name"), row.getString("setting"))).stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
