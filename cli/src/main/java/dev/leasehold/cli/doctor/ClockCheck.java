package dev.leasehold.cli.doctor;

import java.sql.SQLException;
import java.util.Locale;

/** How far this machine's clock is from the database's. Only to know: leases and expiries go by the database's. */
final class ClockCheck implements Check {
    @Override
    public String name() {
        return "clock";
    }

    @Override
    public Verdict look(Database database) throws SQLException {
        long before = System.currentTimeMillis();
        long there = database.askOne("clock", row -> row.getLong("now_ms"));
        long after = System.currentTimeMillis();
        double ahead = (there - (before + after) / 2.0) / 1000;
        return Verdict.ok(String.format(
                Locale.ROOT,
                "the database is %.3f s %s this machine; leases and expiries go by the database",
                Math.abs(ahead),
                ahead < 0 ? "behind" : "ahead of"));
    }
}
