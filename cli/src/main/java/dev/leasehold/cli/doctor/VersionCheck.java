package dev.leasehold.cli.doctor;

import java.sql.SQLException;

/** Whether this version of PostgreSQL is one that Leasehold is tested on. */
final class VersionCheck implements Check {
    private static final int OLDEST = 14;
    private static final int NEWEST = 18;
    private static final int MAJOR = 10_000;

    @Override
    public String name() {
        return "version";
    }

    @Override
    public Verdict look(Database database) throws SQLException {
        return database.askOne("server", row -> verdict(row.getInt("version_num") / MAJOR, row.getString("version")));
    }

    static Verdict verdict(int major, String version) {
        String found = "PostgreSQL " + version;
        if (major < OLDEST) {
            return Verdict.fail(found, "upgrade to PostgreSQL " + OLDEST + " or later");
        }
        return major > NEWEST
                ? Verdict.warn(found, "versions " + OLDEST + " to " + NEWEST + " are tested, this one is not")
                : Verdict.ok(found);
    }
}
