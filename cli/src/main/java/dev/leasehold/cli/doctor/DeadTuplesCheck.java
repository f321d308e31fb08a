package dev.leasehold.cli.doctor;

import java.sql.SQLException;
import java.util.List;

/** Tables of locks and queues with more dead rows than live ones: vacuum does not keep up. */
final class DeadTuplesCheck implements Check {
    @Override
    public String name() {
        return "vacuum";
    }

    @Override
    public Verdict look(Database database) throws SQLException {
        if ("off".equals(database.settings().get("autovacuum"))) {
            return Verdict.fail("autovacuum is off", "switch autovacuum on in postgresql.conf");
        }
        List<String> found = database.ask(
                "dead_tuples",
                row -> row.getString("table_name") + " (" + row.getLong("dead") + " dead, " + row.getLong("live")
                        + " live, last vacuum " + row.getString("last_vacuum") + ")");
        return found.isEmpty()
                ? Verdict.ok("keeps up with the tables of locks and queues")
                : Verdict.warn(
                        "does not keep up: " + String.join(", ", found),
                        "look for what holds it back (transactions, prepared, slots), then run 'vacuum' on them");
    }
}
