package dev.leasehold.cli.doctor;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Prepared transactions that nobody ends: they hold back vacuum for ever. */
final class PreparedTransactionsCheck implements Check {
    private final Duration old;

    PreparedTransactionsCheck(Duration old) {
        this.old = old;
    }

    @Override
    public String name() {
        return "prepared";
    }

    @Override
    public Verdict look(Database database) throws SQLException {
        List<String> found = database.ask(
                "prepared_transactions",
                row -> "'" + row.getString("gid") + "' (" + row.getLong("seconds") + " s)",
                old.toSeconds());
        return found.isEmpty()
                ? Verdict.ok("no prepared transaction is old")
                : Verdict.warn(
                        "prepared and never ended, they hold back vacuum: " + String.join(", ", found),
                        "end each with 'commit prepared' or 'rollback prepared'");
    }
}
