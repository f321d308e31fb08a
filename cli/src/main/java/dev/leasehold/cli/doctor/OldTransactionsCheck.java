package dev.leasehold.cli.doctor;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Transactions that have been open for so long that vacuum cannot clean up behind them: queues get slow. */
final class OldTransactionsCheck implements Check {
    private final Duration old;

    OldTransactionsCheck(Duration old) {
        this.old = old;
    }

    @Override
    public String name() {
        return "transactions";
    }

    @Override
    public Verdict look(Database database) throws SQLException {
        List<String> found = database.ask(
                "old_transactions",
                row -> "pid " + row.getInt("pid") + " (" + row.getString("role") + ", " + row.getString("state") + ", "
                        + row.getLong("seconds") + " s)",
                old.toSeconds());
        long hidden = database.askOne("hidden_sessions", row -> row.getLong("hidden"));
        if (!found.isEmpty()) {
            return Verdict.warn(
                    "open for long, they hold back vacuum: " + String.join(", ", found),
                    "end them, with pg_terminate_backend(PID) if need be, and set idle_in_transaction_session_timeout");
        }
        return hidden > 0
                ? Verdict.warn(
                        "none is old, but " + hidden + " session(s) of other roles could not be seen",
                        "grant pg_read_all_stats to this role, or run this as another")
                : Verdict.ok("none has been open for " + old.toSeconds() + " s");
    }
}
