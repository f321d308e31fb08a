package dev.leasehold.testkit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The fence counters of a database, set so that tests can come near the limit. */
public final class FenceCounters {
    private FenceCounters() {}

    /** Sets the last fence of a key. */
    public static void set(DataSource dataSource, String key, long value) {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(
                        "insert into syncguard_fence_counters (fence_key, fence, key_debug) values (?, ?, ?)"
                                + " on conflict (fence_key) do update set fence = excluded.fence")) {
            statement.setString(1, "fence:" + key);
            statement.setLong(2, value);
            statement.setString(3, key);
            statement.executeUpdate();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
