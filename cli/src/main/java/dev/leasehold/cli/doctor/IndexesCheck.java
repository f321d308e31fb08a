package dev.leasehold.cli.doctor;

import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/** Whether indexes are invalid, or missing on tables of items. Those of the other tables are part of the schema. */
final class IndexesCheck implements Check {
    private static final int SHOWN = 5;

    @Override
    public String name() {
        return "indexes";
    }

    @Override
    public Verdict look(Database database) throws SQLException {
        List<String> invalid = database.ask("invalid_indexes", row -> row.getString("index_name"));
        if (!invalid.isEmpty()) {
            return Verdict.fail("invalid: " + some(invalid), "rebuild each with 'reindex index concurrently NAME'");
        }
        List<Missing> missing = database.ask(
                "missing_indexes", row -> new Missing(row.getString("index_name"), row.getString("statement")));
        return missing.isEmpty()
                ? Verdict.ok("all there and valid")
                : Verdict.fail(
                        "missing: " + some(missing.stream().map(Missing::index).toList())
                                + "; leases and sweeps read whole tables",
                        missing.stream().map(Missing::statement).collect(Collectors.joining("; ")));
    }

    private record Missing(String index, String statement) {}

    private static String some(List<String> names) {
        List<String> first = names.subList(0, Math.min(SHOWN, names.size()));
        return String.join(", ", first) + (names.size() > SHOWN ? " and " + (names.size() - SHOWN) + " more" : "");
    }
}
