package dev.leasehold.postgres.internal;

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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;

/**
 * A .sql file made ready for JDBC: table names filled in, {@code :name} parameters numbered.
 *
 * <p>A file is one statement, or a transaction from {@code begin} to {@code commit}. Several of them can be joined into one
 * message, which is then one transaction. What ends a transaction of the caller's has its {@code commit} alone.
 */
public final class Sql {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([a-z_]+)}");
    private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-z][a-z_]*)");
    private static final Pattern COMMENT = Pattern.compile("(?m)^\\s*--.*$\\n?");
    private static final Pattern BEGIN = Pattern.compile("begin[^;]*;\\s*");
    private static final Pattern COMMIT = Pattern.compile(";\\s*commit$");
    private static final Pattern RETURNS_ROWS = Pattern.compile("(?m)^(select|with)\\b[^;]*");

    private static final String BEGIN_TEXT = "begin isolation level read committed;\n";
    private static final String COMMIT_TEXT = ";\ncommit";

    private final boolean isTransaction;
    private final String body;
    private final List<String> parameters;
    private final int rowSets;

    private Sql(boolean isTransaction, String body, List<String> parameters) {
        this.isTransaction = isTransaction;
        this.body = body;
        this.parameters = parameters;
        this.rowSets = (int) List.of(body.split(";")).stream()
                .filter(statement -> RETURNS_ROWS.matcher(statement.strip()).lookingAt())
                .count();
    }

    /** Reads {@code lock/acquire} and the like. */
    public static Sql load(String name, Map<String, String> placeholders) {
        String source = COMMENT.matcher(read(name, placeholders)).replaceAll("");
        List<String> parameters = new ArrayList<>();
        Matcher matcher = PARAMETER.matcher(source);
        StringBuilder text = new StringBuilder();
        while (matcher.find()) {
            parameters.add(matcher.group(1));
            matcher.appendReplacement(text, "?");
        }
        matcher.appendTail(text);
        return of(text.toString().strip().replaceFirst(";$", ""), parameters);
    }

    private static Sql of(String text, List<String> parameters) {
        Matcher begin = BEGIN.matcher(text);
        boolean isTransaction = begin.lookingAt();
        String body =
                isTransaction ? COMMIT.matcher(text.substring(begin.end())).replaceFirst("") : text;
        return new Sql(isTransaction, body, parameters);
    }

    /** This and then {@code next}, as one transaction; parameters of the same name have the same value. */
    public Sql then(Sql next) {
        List<String> both = new ArrayList<>(parameters);
        both.addAll(next.parameters);
        return new Sql(true, body + ";\n\n" + next.body, both);
    }

    /** The file as a piece of another: placeholders filled in, without its comment. */
    public static String piece(String name, Map<String, String> placeholders) {
        return COMMENT.matcher(read(name, placeholders)).replaceAll("").strip();
    }

    /** The file with its placeholders filled in, comments and all. */
    public static String read(String name, Map<String, String> placeholders) {
        try (InputStream in = Sql.class.getResourceAsStream("/dev/leasehold/postgres/" + name + ".sql")) {
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

    /**
     * One message out of {@code parts}, in their order. With a {@code preface}, which comes first, it is always a transaction that
     * says its isolation level: a session that needs one has no defaults of ours.
     */
    public static String message(List<Sql> parts, String preface) {
        String bodies = parts.stream().map(part -> part.body).collect(Collectors.joining(";\n\n"));
        boolean transaction = parts.size() > 1 || parts.get(0).isTransaction || !preface.isEmpty();
        return transaction ? BEGIN_TEXT + preface + bodies + COMMIT_TEXT : bodies;
    }

    /** The names of the parameters, in the order of their question marks. */
    public List<String> parameters() {
        return parameters;
    }

    /** How many of its statements return rows. */
    public int rowSets() {
        return rowSets;
    }

    /** Prepares this file alone, with its parameters by name: texts, numbers, and arrays of them. */
    public PreparedStatement prepare(Connection connection, Map<String, ? extends @Nullable Object> values)
            throws SQLException {
        return prepare(message(List.of(this), ""), connection, values);
    }

    private PreparedStatement prepare(
            String text, Connection connection, Map<String, ? extends @Nullable Object> values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(text);
        try {
            bind(connection, statement, 1, values);
            return statement;
        } catch (SQLException | RuntimeException | Error e) {
            statement.close();
            throw e;
        }
    }

    /** The same for a statement that is seldom needed: it is not kept in the server, where a pooler might mix it up. */
    public PreparedStatement prepareOnce(Connection connection, Map<String, ? extends @Nullable Object> values)
            throws SQLException {
        return once(prepare(connection, values));
    }

    /** The same as a transaction of its own, in one message: READ COMMITTED whatever the default of the session is. */
    public PreparedStatement prepareTransaction(Connection connection, Map<String, ? extends @Nullable Object> values)
            throws SQLException {
        return once(prepare(BEGIN_TEXT + body + COMMIT_TEXT, connection, values));
    }

    private static PreparedStatement once(PreparedStatement statement) throws SQLException {
        statement.unwrap(PGStatement.class).setPrepareThreshold(0);
        return statement;
    }

    /** Binds the parameters of this file from {@code first} on, and returns where the next file's begin. */
    public int bind(
            Connection connection,
            PreparedStatement statement,
            int first,
            Map<String, ? extends @Nullable Object> values)
            throws SQLException {
        for (int i = 0; i < parameters.size(); i++) {
            bind(connection, statement, first + i, values.get(parameters.get(i)));
        }
        return first + parameters.size();
    }

    private static void bind(Connection connection, PreparedStatement statement, int index, @Nullable Object value)
            throws SQLException {
        if (value instanceof String[] texts) {
            statement.setArray(index, connection.createArrayOf("text", texts));
        } else if (value instanceof long[] numbers) {
            statement.setObject(index, numbers);
        } else if (value instanceof Long[] numbers) {
            statement.setArray(index, connection.createArrayOf("int8", numbers));
        } else if (value instanceof byte[][] bytes) {
            statement.setArray(index, connection.createArrayOf("bytea", bytes));
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
