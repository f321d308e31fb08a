package dev.leasehold.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A .sql file made ready for JDBC: table names filled in, {@code :name} parameters numbered. */
final class Sql {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([a-z_]+)}");
    private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-z][a-z_]*)");
    private static final Pattern COMMENT = Pattern.compile("(?m)^\\s*--.*$\\n?");

    private static final Pattern BEGIN = Pattern.compile("begin[^;]*;\\s*");

    private final String begin;
    private final String body;
    private final List<String> parameters;

    private Sql(String text, List<String> parameters) {
        Matcher start = BEGIN.matcher(text);
        this.begin = start.lookingAt() ? start.group() : "";
        this.body = text.substring(begin.length());
        this.parameters = parameters;
    }

    /** Reads {@code lock/acquire} and the like. */
    static Sql load(String name, Map<String, String> placeholders) {
        String source = COMMENT.matcher(read(name, placeholders)).replaceAll("");
        List<String> parameters = new ArrayList<>();
        Matcher matcher = PARAMETER.matcher(source);
        StringBuilder text = new StringBuilder();
        while (matcher.find()) {
            parameters.add(matcher.group(1));
            matcher.appendReplacement(text, "?");
        }
        matcher.appendTail(text);
        return new Sql(text.toString().strip().replaceFirst(";$", ""), parameters);
    }

    /** The file with its placeholders filled in, comments and all. */
    static String read(String name, Map<String, String> placeholders) {
        try (InputStream in = Sql.class.getResourceAsStream(name + ".sql")) {
            if (in == null) {
                throw new IllegalStateException("the jar is incomplete: " + name + ".sql is missing");
            }
            String source = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return PLACEHOLDER
                    .matcher(source)
                    .replaceAll(match -> Matcher.quoteReplacement(placeholders.get(match.group(1))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The whole message, with a question mark for every parameter. */
    String text() {
        return begin + body;
    }

    /** The names of the parameters, in the order of their question marks. */
    List<String> parameters() {
        return parameters;
    }

    /**
     * Prepares the message with its parameters by name: texts, numbers, and arrays of them. The preface comes first, inside the
     * transaction if the message has one.
     */
    PreparedStatement prepare(Connection connection, String preface, Map<String, ? extends @Nullable Object> values)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(begin + preface + body);
        try {
            for (int i = 0; i < parameters.size(); i++) {
                bind(connection, statement, i + 1, values.get(parameters.get(i)));
            }
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    private static void bind(Connection connection, PreparedStatement statement, int index, @Nullable Object value)
            throws SQLException {
        if (value instanceof String[] texts) {
            statement.setArray(index, connection.createArrayOf("text", texts));
        } else if (value instanceof long[] numbers) {
            statement.setObject(index, numbers);
        } else if (value instanceof String text) {
            statement.setString(index, text);
        } else if (value instanceof Long number) {
            statement.setLong(index, number);
        } else if (value == null) {
            statement.setNull(index, Types.NULL);
        } else {
            throw new IllegalArgumentException("no way to bind " + value.getClass());
        }
    }
}
