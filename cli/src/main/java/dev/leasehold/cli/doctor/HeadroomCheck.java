package dev.leasehold.cli.doctor;

import java.sql.SQLException;

/** How many more connections the server takes. */
final class HeadroomCheck implements Check {
    private static final long LEAST = 10;

    @Override
    public String name() {
        return "connections";
    }

    @Override
    public Verdict look(Database database) throws SQLException {
        return database.askOne("connections", row -> verdict(row.getLong("used"), row.getLong("usable")));
    }

    static Verdict verdict(long used, long usable) {
        String found = used + " of " + usable + " in use";
        return usable - used >= LEAST
                ? Verdict.ok(found)
                : Verdict.warn(found, "raise max_connections, make pools smaller, or put a pooler in between");
    }
}
