package dev.leasehold.chaos.fault;

import dev.leasehold.chaos.site.Site;
import dev.leasehold.testkit.process.HarnessException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * The server's table of locks is full: somebody has taken advisory locks until there was no room, and takes every place that gets
 * free. Then nobody gets an advisory lock, no transaction can write, and nobody can connect.
 */
final class FullLocks implements Fault {
    private static final String FULL = "53200";
    private static final int CLASS = 7_461;
    private static final int MANY = 1_000;
    private static final long PAUSE_MILLIS = 10;

    private final Site site;
    private @Nullable Repeating taking;
    private @Nullable Connection holder;
    private int next;

    FullLocks(Site site) {
        this.site = site;
    }

    @Override
    public void begin() {
        try {
            holder = site.database().connect("postgres");
            takeUntilFull(holder, MANY);
            takeUntilFull(holder, 1);
        } catch (SQLException e) {
            throw new HarnessException("could not fill the table of locks: " + e.getMessage(), e);
        }
        taking = new Repeating("chaos-locks", PAUSE_MILLIS, this::takeWhatIsFree);
    }

    /** A server that was restarted has forgotten them all; it is left alone. */
    private void takeWhatIsFree() {
        try {
            if (holder != null && !holder.isClosed()) {
                takeUntilFull(holder, 1);
            }
        } catch (SQLException e) {
            return;
        }
    }

    /** What a statement has taken before there was no more room stays taken: these locks are the session's. */
    private void takeUntilFull(Connection connection, int chunk) throws SQLException {
        String sql = "select count(pg_advisory_lock(" + CLASS + ", g)) from generate_series(?, ?) as g";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            while (true) {
                statement.setInt(1, next);
                next += chunk;
                statement.setInt(2, next - 1);
                statement.execute();
            }
        } catch (SQLException e) {
            if (!FULL.equals(e.getSQLState())) {
                throw e;
            }
        }
    }

    @Override
    public void end() {
        if (taking != null) {
            taking.stop();
        }
        if (holder == null) {
            return;
        }
        try (Connection connection = holder;
                Statement statement = connection.createStatement()) {
            statement.execute("select pg_advisory_unlock_all()");
        } catch (SQLException e) {
            return; // the session has ended, and its locks with it
        }
    }
}
