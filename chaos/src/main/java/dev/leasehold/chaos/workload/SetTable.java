package dev.leasehold.chaos.workload;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The table of sets, which protects itself against nothing: a row is read and written as a whole. */
record SetTable(Connection connection) {
    /** What makes the table. */
    static final String CREATE =
            "create table if not exists chaos_set (key text primary key, fence bigint not null, members text[] not null)";

    void begin() throws SQLException {
        connection.setAutoCommit(false);
    }

    void begin(int isolation) throws SQLException {
        connection.setTransactionIsolation(isolation);
        begin();
    }

    void commit() throws SQLException {
        connection.commit();
    }

    void rollback() throws SQLException {
        connection.rollback();
    }

    List<String> read(String key) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("select members from chaos_set where key = ?")) {
            select.setString(1, key);
            return members(select);
        }
    }

    /** Reads, and leaves the reader's fence. Fails if there is a greater one. */
    List<String> readFenced(String key, long fence) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(
                "update chaos_set set fence = ? where key = ? and fence <= ? returning members")) {
            update.setLong(1, fence);
            update.setString(2, key);
            update.setLong(3, fence);
            return members(update);
        }
    }

    void write(String key, List<String> members, String more) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("update chaos_set set members = ? where key = ?")) {
            update.setArray(1, array(members, more));
            update.setString(2, key);
            update.executeUpdate();
        }
    }

    /** False if somebody with a greater fence has been there. */
    boolean writeFenced(String key, long fence, List<String> members, String more) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("update chaos_set set members = ? where key = ? and fence = ?")) {
            update.setArray(1, array(members, more));
            update.setString(2, key);
            update.setLong(3, fence);
            return update.executeUpdate() == 1;
        }
    }

    private Array array(List<String> members, String more) throws SQLException {
        List<String> all = new ArrayList<>(members);
        all.add(more);
        return connection.createArrayOf("text", all.toArray());
    }

    private static List<String> members(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
                throw new SQLException("somebody with a greater fence has been there");
            }
            return List.of((String[]) row.getArray(1).getArray());
        }
    }
}
