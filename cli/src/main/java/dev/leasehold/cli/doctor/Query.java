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
import org.postgresql.PGStatement;

/** A question to a database: one .sql file. */
final class Query {
    /** Longer than this nobody waits for a check. */
    private static final int SECONDS = 15;

    private final String text;

    private Query(String text) {
        this.text = text;
    }

    /** What to make of a row. */
    @FunctionalInterface
    interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    static Query load(String name) {
        try (InputStream in = Query.class.getResourceAsStream(name + ".sql")) {
            if (in == null) {
                throw new IllegalStateException("the jar is incomplete: " + name + ".sql is missing");
            }
            return new Query(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    <T> List<T> ask(Connection connection, Row<T> row, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            statement.setQueryTimeout(SECONDS);
            statement
                    .unwrap(PGStatement.class)
                    .setPrepareThreshold(0); // a name is nothing to the next backend of a pooler
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
}
