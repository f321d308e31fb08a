package dev.leasehold.cli.doctor;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import org.postgresql.PGConnection;

/**
 * Finds a pooler such as PgBouncer, and whether it changes the backend of a connection from transaction to transaction: then
 * nobody can listen through it, and waiters are woken late.
 *
 * <p>A pooler shows because the backend that answers is not the one of the login. To find its mode, two connections use a backend
 * each and let go of it, repeatedly. A pooler in transaction mode gives the next transaction the backend that was freed last, or
 * first: so the two take turns in beginning, and in one of the turns they get each other's.
 */
final class PoolerProbe {
    private static final int ROUNDS = 4;

    private PoolerProbe() {}

    static Verdict look(Database database) throws SQLException {
        Connection connection = database.connection();
        if (backend(connection) == connection.unwrap(PGConnection.class).getBackendPID()) {
            return Verdict.ok("none in between");
        }
        return changesBackends(database)
                ? Verdict.warn(
                        "a pooler in transaction mode is in between",
                        "it works, but nobody is woken through it: who waits for a lock asks ten times a second, who"
                                + " waits for items once a second. For wake-ups give the server an address past the"
                                + " pooler, or the library a data source to listen on")
                : Verdict.warn(
                        "a pooler is in between, in session mode as far as can be seen",
                        "every node keeps a few connections open: mind the size of the pool");
    }

    private static boolean changesBackends(Database database) throws SQLException {
        Set<Integer> seen = new HashSet<>();
        try (Connection one = database.dataSource().getConnection();
                Connection other = database.dataSource().getConnection()) {
            one.setAutoCommit(false);
            other.setAutoCommit(false);
            for (int round = 0; round < ROUNDS; round++) {
                boolean isFirst = round % 2 == 0;
                int before = isFirst ? backend(one) : backend(other);
                int after = isFirst ? backend(other) : backend(one);
                seen.add(isFirst ? before : after);
                one.commit();
                other.commit();
            }
        }
        return seen.size() > 1;
    }

    static int backend(Connection connection) throws SQLException {
        return Database.ask(connection, "backend", row -> row.getInt("pid")).get(0);
    }
}
