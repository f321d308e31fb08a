package dev.leasehold.cli.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.postgresql.PGStatement;

/**
 * The database that is checked. Its questions are the .sql files beside this class.
 *
 * @param connection the connection for questions
 * @param dataSource for checks that need connections of their own
 */
record Database(DataSource dataSource, Connection connection) {
    /** No check is waited for longer. */
    private static final int SECONDS = 15;

    /** Maps a row. */
    @FunctionalInterface
    interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** The rows that a .sql file selects. */
    <T> List<T> ask(String file, Row<T> row, Object... parameters) throws SQLException {
        return ask(connection, file, row, parameters);
    }

    /** The one row that a .sql file selects. */
    <T> T askOne(String file, Row<T> row) throws SQLException {
        return ask(file, row).get(0);
    }

    /** The server settings that checks look at. */
    Map<String, String> settings() throws SQLException {
        return ask("settings", row -> Map.entry(row.getString("name"), row.getString("setting"))).stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    static <T> List<T> ask(Connection connection, String file, Row<T> row, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(text(file))) {
            statement.setQueryTimeout(SECONDS);
            statement
                    .unwrap(PGStatement.class)
                    .setPrepareThreshold(0); // behind a pooler the next backend does not know the statement's name
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                List<T> answer = new ArrayList<>();
                while (rows.next()) {
                    answer.add(row.read(rows));
                }
                return answer;
            }
        }
    }

    private static String text(String file) {
        try (InputStream in = Database.class.getResourceAsStream(file + ".sql")) {
            if (in == null) {
                throw new IllegalStateException("the jar is incomplete: " + file + ".sql is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
