package dev.leasehold.chaos.fault;

import dev.leasehold.chaos.site.Site;
import dev.leasehold.testkit.process.HarnessException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Somebody's transaction stays open, and no dead row can be removed anywhere meanwhile. */
final class LongTransaction implements Fault {
    private final Site site;
    private final List<Connection> open = new ArrayList<>();

    LongTransaction(Site site) {
        this.site = site;
    }

    @Override
    public void begin() {
        try {
            begin(Site.FIRST);
            begin(Site.SECOND);
        } catch (SQLException e) {
            throw new HarnessException("could not begin a long transaction: " + e.getMessage(), e);
        }
    }

    private void begin(String database) throws SQLException {
        Connection connection = site.database().connect(database);
        open.add(connection);
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (Statement statement = connection.createStatement()) {
            statement.execute("select pg_current_xact_id()");
        }
    }

    @Override
    public void end() {
        for (Connection connection : open) {
            try {
                connection.close();
            } catch (SQLException e) {
                throw new HarnessException("could not end a long transaction", e);
            }
        }
        open.clear();
    }
}
