package dev.leasehold.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The results of a scenario as text. */
final class Table {
    private static final List<String> HEAD = List.of(
            "variant",
            "system",
            "ops/s",
            "x leasehold",
            "p50 ms",
            "p99 ms",
            "longest ms",
            "trips/op",
            "tx/op",
            "xids/op",
            "WAL B/op",
            "CPU s client",
            "CPU s database");

    private Table() {}

    /** Of one scenario: its title, a row for each system in each variant, who is absent, and the settings. */
    static String of(Scenario scenario, List<Result> results) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEAD);
        results.forEach(result -> rows.add(row(result, results)));
        StringBuilder text = new StringBuilder();
        text.append(scenario.name()).append(": ").append(scenario.title()).append('\n');
        text.append("one operation: ").append(scenario.operation()).append('\n');
        text.append(aligned(rows, 2));
        extras(results, text);
        notes(scenario, text);
        return text.toString();
    }

    private static List<String> row(Result result, List<Result> all) {
        Measurement m = result.median();
        return List.of(
                result.variant().label(),
                result.contender().name(),
                number(m.opsPerSecond()),
                optional(result.ratioToLeasehold(all)),
                number(m.p50Ms()),
                number(m.p99Ms()),
                number(m.longestMs()),
                optional(m.roundTripsPerOp()),
                optional(m.transactionsPerOp()),
                number(m.idsPerOp()),
                number(m.walBytesPerOp()),
                number(m.clientCpuSeconds()),
                optional(m.databaseCpuSeconds()));
    }

    private static String optional(OptionalDouble value) {
        return value.isPresent() ? number(value.getAsDouble()) : "-";
    }

    /** Three digits that mean something. */
    static String number(double value) {
        double size = Math.abs(value);
        String format = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 1 || size == 0 ? "%.2f" : "%.3f";
        return String.format(Locale.ROOT, format, value);
    }

    /** The first columns are words and stand left, the others right. */
    static String aligned(List<List<String>> rows, int words) {
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                int at = column;
                int width =
                        rows.stream().mapToInt(r -> r.get(at).length()).max().orElse(0);
                String cell = row.get(column);
                String space = " ".repeat(width - cell.length());
                line.append(column < words ? cell + space : space + cell).append("  ");
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static void extras(List<Result> results, StringBuilder text) {
        for (Result result : results) {
            result.median()
                    .extras()
                    .forEach((name, value) -> text.append("  ")
                            .append(result.variant().label())
                            .append(", ")
                            .append(result.contender().name())
                            .append(": ")
                            .append(name)
                            .append(' ')
                            .append(number(value))
                            .append('\n'));
        }
    }

    private static void notes(Scenario scenario, StringBuilder text) {
        for (Contender contender : scenario.contenders()) {
            text.append("  ").append(contender.name());
            if (contender.absence() != null) {
                text.append(" left out: ").append(contender.absence()).append('\n');
            } else {
                text.append(' ').append(contender.version()).append(": ");
                text.append(contender.settings()).append('\n');
            }
        }
    }
}
