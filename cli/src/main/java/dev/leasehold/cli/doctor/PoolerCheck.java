package dev.leasehold.cli.doctor;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;

/**
 * Whether a pooler such as PgBouncer is in between, and whether it gives a connection another backend from transaction to
 * transaction. Then nobody can listen through it, and who waits is woken late.
 *
 * <p>How it is seen: the backend that answers is not the one of the login. If another connection lets go of its backend last, a
 * pooler in transaction mode gives that one to us.
 */
final class PoolerCheck implements Check {
    private static final int ROUNDS = 3;

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
                        "it works, but wake-ups need a connection past the pooler: give the server one to listen on, or"
                                + " waiters find out by asking, up to a second later")
                : Verdict.warn(
                        "a pooler is in between, in session mode as far as can be seen",
                        "every node keeps a few connections open: mind the size of the pool");
    }

    private static boolean changesBackends(Database database) throws SQLException {
        try (Connection one = database.dataSource().getConnection();
                Connection other = database.dataSource().getConnection()) {
            one.setAutoCommit(false);
            other.setAutoCommit(false);
            for (int round = 0; round < ROUNDS; round++) {
                int before = backend(one);
                backend(other);
                one.commit();
                other.commit();
                boolean changed = backend(one) != before;
                one.commit();
                if (changed) {
                    return true;
                }
            }
            return false;
        }
    }

    private static int backend(Connection connection) throws SQLException {
        return Query.load("backend").ask(connection, row -> row.getInt("pid")).get(0);
    }
}
