package dev.leasehold.examples;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What the examples share: words on the screen, a pause, a statement. */
final class Story {
    private Story() {}

    static void say(String line, @Nullable Object... values) {
        System.out.println(String.format(Locale.ROOT, line, values));
    }

    static void pause(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
