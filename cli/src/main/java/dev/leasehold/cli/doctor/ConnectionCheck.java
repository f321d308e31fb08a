package dev.leasehold.cli.doctor;

import java.sql.SQLException;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Whether the database lets us in, and how fast it answers. */
final class ConnectionCheck implements Check {
    private final String display;
    private final long started;

    /** @param started when connecting began, by {@link System#nanoTime} */
    ConnectionCheck(String display, long started) {
        this.display = display;
        this.started = started;
    }

    @Override
    public String name() {
        return "connection";
    }

    @Override
    public Verdict look(Database database) throws SQLException {
        long connect = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started);
        database.askOne("clock", row -> row.getLong("now_ms"));
        long before = System.nanoTime();
        database.askOne("clock", row -> row.getLong("now_ms"));
        double trip = (System.nanoTime() - before) / 1e6;
        return Verdict.ok(
                String.format(Locale.ROOT, "%s, connected in %d ms, a question takes %.1f ms", display, connect, trip));
    }

    static Verdict refused(String display, SQLException e) {
        return Verdict.fail(display + ": " + e.getMessage(), advice(String.valueOf(e.getMessage())));
    }

    private static String advice(String message) {
        return message.contains("startup parameter")
                ? "a pooler is in between and refuses what the address asks for: leave it out there, and set it for the"
                        + " role, for example alter role … set search_path = …"
                : "check host, port, user and password, and pg_hba.conf of the server";
    }
}
