package dev.leasehold.postgres.internal;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reading what a message of several statements brought back. */
public final class Rows {
    private Rows() {}

    /** Runs a message and returns what its statements returned as rows, in their order. */
    public static List<ResultSet> of(PreparedStatement message) throws SQLException {
        List<ResultSet> all = new ArrayList<>();
        boolean rows = message.execute();
        while (rows || message.getUpdateCount() != -1) {
            if (rows) {
                all.add(message.getResultSet());
            }
            rows = message.getMoreResults(Statement.KEEP_CURRENT_RESULT);
        }
        return all;
    }

    public static Instant instant(ResultSet row, String column) throws SQLException {
        return Instant.ofEpochMilli(row.getLong(column));
    }

    public static String text(ResultSet row, String column) throws SQLException {
        @Nullable String value = row.getString(column);
        if (value == null) {
            throw new SQLException("column " + column + " is null");
        }
        return value;
    }
}
