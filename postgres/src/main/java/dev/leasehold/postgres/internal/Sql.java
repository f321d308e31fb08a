package dev.leasehold.postgres.internal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;

/**
 * A .sql file made ready for JDBC: read by {@link SqlFile}, with question marks in the place of {@code :name} parameters.
 *
 * <p>A file is one statement, or a transaction from {@code begin} to {@code commit}. Several of them can be joined into one
 * message, which is then one transaction. What ends a transaction of the caller's has its {@code commit} alone.
 */
public final class Sql {
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
        this.rowSets =
                (int) List.of(body.split(";")).stream().filter(Sql::returnsRows).count();
    }

    private static boolean returnsRows(String statement) {
        String text = statement.strip();
        return text.startsWith("select") || text.startsWith("with");
    }

    /** Reads {@code lock/acquire} and the like. */
    public static Sql load(String name, Map<String, String> placeholders) {
        List<String> parameters = new ArrayList<>();
        String text = positional(SqlFile.withoutComments(name, placeholders), parameters);
        boolean isTransaction = text.startsWith("begin");
        int begin = isTransaction ? text.indexOf(';') + 1 : 0;
        int end = isTransaction ? text.lastIndexOf(";\n\ncommit;") : text.length() - (text.endsWith(";") ? 1 : 0);
        return new Sql(isTransaction, text.substring(begin, end).strip(), parameters);
    }

    /** The text with a question mark in the place of each {@code :name}; two colons are a cast. Adds the names. */
    private static String positional(String text, List<String> names) {
        StringBuilder result = new StringBuilder();
        int copied = 0;
        for (int colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
            int end = endOfName(text, colon + 1);
            boolean isCast = colon > 0 && text.charAt(colon - 1) == ':';
            if (end > colon + 1 && !isCast) {
                names.add(text.substring(colon + 1, end));
                result.append(text, copied, colon).append('?');
                copied = end;
            }
        }
        return result.append(text, copied, text.length()).toString();
    }

    private static int endOfName(String text, int begin) {
        int end = begin;
        while (end < text.length()
                && (text.charAt(end) == '_' || (text.charAt(end) >= 'a' && text.charAt(end) <= 'z'))) {
            end++;
        }
        return end;
    }

    /** This and then {@code next}, as one transaction; parameters of the same name have the same value. */
    public Sql then(Sql next) {
        List<String> both = new ArrayList<>(parameters);
        both.addAll(next.parameters);
        return new Sql(true, body + ";\n\n" + next.body, both);
    }

    /** The file without its comments, as a piece of another or for a plain {@link java.sql.Statement}. */
    public static String piece(String name, Map<String, String> placeholders) {
        return SqlFile.withoutComments(name, placeholders);
    }

    /** The file with its placeholders filled in, comments and all. */
    public static String read(String name, Map<String, String> placeholders) {
        return SqlFile.read(name, placeholders);
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
