package dev.leasehold.cli.doctor;

import java.sql.SQLException;
import java.util.List;

/** Whether the role may do what the statements do. */
final class PrivilegesCheck implements Check {
    @Override
    public String name() {
        return "privileges";
    }

    @Override
    public Verdict look(Database database) throws SQLException {
        List<String> missing = database.ask("privileges", row -> row.getString("missing"));
        return missing.isEmpty()
                ? Verdict.ok("the role may read and write the tables, and create tables of items")
                : Verdict.fail(
                        "the role lacks " + String.join(", ", missing),
                        "grant select, insert, update, delete on the tables, usage on the sequence, and create on the"
                                + " schema (queues bring their own tables)");
    }
}
