package dev.leasehold.cli.doctor;

import java.sql.SQLException;
import java.util.List;

/** Replication slots whose reader is gone or far behind: they hold back vacuum, and fill the disk. */
final class ReplicationSlotsCheck implements Check {
    @Override
    public String name() {
        return "slots";
    }

    @Override
    public Verdict look(Database database) throws SQLException {
        List<String> found = database.ask("replication_slots", row -> row.getString("slot_name"));
        return found.isEmpty()
                ? Verdict.ok("no replication slot holds anything back")
                : Verdict.warn(
                        "without a reader, or holding back vacuum: " + String.join(", ", found),
                        "start the reader again, or drop the slot with pg_drop_replication_slot");
    }
}
