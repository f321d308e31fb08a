package dev.leasehold.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A kind of call: how a group of them becomes one message to the database, and its rows their answers. */
interface Kind<Q, R> {
    /** How many may travel together. */
    int maxGroup();

    /**
     * Runs the group in one round trip and one transaction, and after its commit answers every call: with a value, with a
     * failure of its own, or by adding it to {@code busy} to be asked again. If this throws, nothing was committed or, when the
     * connection is lost, nobody knows.
     */
    void run(Connection connection, String preface, List<Call<Q, R>> group, List<Call<Q, R>> busy) throws SQLException;

    /** The caller had gone when the answer came. */
    default void unwanted(Q request, R value) {}

    /** The connection was lost while this call was under way. */
    default void unknown(Q request) {}
}
