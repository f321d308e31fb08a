package dev.leasehold.cli.doctor;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Whether what is acknowledged survives a crash of the database. A fence that is given twice lets a stale holder through. */
final class DurabilityCheck implements Check {
    private static final List<String> BASICS = List.of("fsync", "full_page_writes");

    @Override
    public String name() {
        return "durability";
    }

    @Override
    public Verdict look(Database database) throws SQLException {
        return verdict(database.settings());
    }

    static Verdict verdict(Map<String, String> settings) {
        List<String> off =
                BASICS.stream().filter(name -> "off".equals(settings.get(name))).toList();
        if (!off.isEmpty()) {
            return Verdict.fail(
                    String.join(" and ", off) + " off: a crash can destroy the database",
                    "switch " + String.join(" and ", off) + " on in postgresql.conf");
        }
        return "off".equals(settings.get("synchronous_commit"))
                ? Verdict.fail(
                        "synchronous_commit is off: a crash takes back grants, fences and items that were acknowledged",
                        "alter role … set synchronous_commit = on")
                : Verdict.ok("what is acknowledged is on disk");
    }
}
