package dev.leasehold.chaos.fault;

import dev.leasehold.chaos.site.Database;
import dev.leasehold.chaos.site.Site;
import dev.leasehold.testkit.process.HarnessException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * The queue of notifications is full: a session that listens stays in its transaction and reads none, another has sent until there
 * was no more room. From then on a transaction that notifies fails when it commits.
 */
final class FullNotifyQueue implements Fault {
    private static final String FULL = "54000";
    private static final String SOME =
            "select count(pg_notify('chaos_full', g || repeat('x', 7900)))" + " from generate_series(1, 16) as g";
    private static final String HAS_ROOM = "select pg_notification_queue_usage() < 0.5";

    private final Site site;
    private @Nullable Connection listener;

    FullNotifyQueue(Site site) {
        this.site = site;
    }

    static String missing() {
        return Database.hasSmallNotifyQueue() ? "" : "the queue of notifications is 8 GB before PostgreSQL 17";
    }

    @Override
    public void begin() {
        try {
            listener = site.database().connect("postgres");
            execute(listener, "listen chaos_full");
            listener.setAutoCommit(false);
            execute(listener, "select 1");
            try (Connection sender = site.database().connect("postgres")) {
                sendUntilFull(sender);
            }
        } catch (SQLException e) {
            throw new HarnessException("could not fill the queue of notifications: " + e.getMessage(), e);
        }
    }

    private static void sendUntilFull(Connection sender) throws SQLException {
        try {
            while (true) {
                execute(sender, SOME);
            }
        } catch (SQLException e) {
            if (!FULL.equals(e.getSQLState())) {
                throw e;
            }
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Asking how full it is makes the server throw away what everybody has read; otherwise the next notification would have to. */
    @Override
    public void end() {
        try {
            if (listener != null) {
                listener.close();
            }
        } catch (SQLException e) {
            throw new HarnessException("could not end the session that listens", e);
        }
        Restoring.await(
                "room in the queue of notifications",
                () -> site.database().ask("postgres", HAS_ROOM).contains("t"));
    }
}
