package dev.leasehold.cli.doctor;

import java.sql.SQLException;

/** Which isolation level statements get that do not say. */
final class IsolationCheck implements Check {
    private static final String EXPECTED = "read committed";

    @Override
    public String name() {
        return "isolation";
    }

    @Override
    public Verdict look(Database database) throws SQLException {
        return verdict(database.settings().getOrDefault("default_transaction_isolation", "unknown"));
    }

    static Verdict verdict(String level) {
        return level.equals(EXPECTED)
                ? Verdict.ok(EXPECTED)
                : Verdict.warn(
                        "the default is " + level
                                + ": Leasehold's own transactions are read committed all the same, but yours that guard"
                                + " a lock or change a queue may fail with 40001 and have to be repeated",
                        "alter role … set default_transaction_isolation = 'read committed'");
    }
}
