package dev.leasehold.postgres;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Reading what a message of several statements brought back. */
final class Rows {
    private Rows() {}

    /** Runs the message and returns the rows of its last statement; those before it only prepare. */
    static ResultSet last(PreparedStatement statement) throws SQLException {
        boolean rows = statement.execute();
        ResultSet last = null;
        while (rows || statement.getUpdateCount() != -1) {
            last = rows ? statement.getResultSet() : last;
            rows = statement.getMoreResults(Statement.KEEP_CURRENT_RESULT);
        }
        if (last == null) {
            throw new SQLException("the statement returned no rows");
        }
        return last;
    }

    static Instant instant(ResultSet row, String column) throws SQLException {
        return Instant.ofEpochMilli(row.getLong(column));
    }

    static String text(ResultSet row, String column) throws SQLException {
        @Nullable String value = row.getString(column);
        if (value == null) {
            throw new SQLException("column " + column + " is null");
        }
        return value;
    }
}
