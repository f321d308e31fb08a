package dev.leasehold.cli.doctor;

import java.sql.SQLException;

/** Whether anything can be written: a standby cannot grant locks. */
final class WritableCheck implements Check {
    @Override
    public String name() {
        return "writable";
    }

    @Override
    public Verdict look(Database database) throws SQLException {
        return database.askOne("server", row -> verdict(row.getBoolean("standby"), row.getBoolean("read_only")));
    }

    static Verdict verdict(boolean standby, boolean readOnly) {
        if (standby) {
            return Verdict.fail("a standby", "name the primary, or all hosts with target_session_attrs=read-write");
        }
        return readOnly
                ? Verdict.fail("transactions are read-only", "set default_transaction_read_only to off for this role")
                : Verdict.ok("a primary, transactions may write");
    }
}
