package dev.leasehold.cli.doctor;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import org.postgresql.PGConnection;

/**
 * Whether a pooler such as PgBouncer is in between, and whether it gives a connection another backend from transaction to
 * transaction. Then nobody can listen through it, and who waits is woken late.
 *
 * <p>How it is seen: the backend that answers is not the one of the login. Two connections take a backend each and let go of it,
 * again and again. A pooler in transaction mode gives whoever asks first the one that was let go of last, or else first: so the
 * two take turns in asking first, and in one of the turns they get each other's.
 */
final class PoolerCheck implements Check {
    private static final int ROUNDS = 4;

    @Override
    public String name() {
        return "pooler";
    }

    @Override
    public Verdict look(Database database) throws SQLException {
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

    private static int backend(Connection connection) throws SQLException {
        return Query.load("backend").ask(connection, row -> row.getInt("pid")).get(0);
    }
}
