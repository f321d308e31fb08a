package dev.leasehold.bench;

import dev.leasehold.bench.OwedFigure.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/** Judges the results of a run by what is owed: one row for each figure, and the names of those that fall short. */
final class Check {
    /** Tables grow, and a held snapshot hurts, only after a while. */
    private static final Set<String> LONG = Set.of("Q3", "Q5");

    private static final Duration USUAL_RUN = Duration.ofSeconds(4);
    private static final Duration LONG_RUN = Duration.ofSeconds(20);

    private final List<OwedFigure> figures;
    private final List<Result> results;

    Check(List<OwedFigure> figures, List<Result> results) {
        this.figures = List.copyOf(figures);
        this.results = List.copyOf(results);
    }

    /** How long a run lasts if nobody says so: all of them together within half an hour. */
    static Duration run(Scenario scenario) {
        return LONG.contains(scenario.name()) ? LONG_RUN : USUAL_RUN;
    }

    /** What the command ends with: 1 if a figure falls short. */
    int exitStatus() {
        return those(Verdict.SHORT).isEmpty() ? 0 : 1;
    }

    /** A row for each figure, and below it what falls short. */
    String text() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("figure", "what", "owed", "measured", ""));
        figures.forEach(owed -> rows.add(row(owed)));
        return "Owed figures\n" + Table.aligned(rows, 2) + summary();
    }

    private List<String> row(OwedFigure owed) {
        OptionalDouble measured = owed.measured(results);
        return List.of(
                owed.id(),
                owed.variant() + ": " + owed.what(),
                owed.owed(),
                measured.isPresent() ? owed.text(measured.getAsDouble()) : "-",
                owed.judge(measured).toString());
    }

    private List<OwedFigure> those(Verdict verdict) {
        return figures.stream()
                .filter(owed -> owed.judge(owed.measured(results)) == verdict)
                .toList();
    }

    private String summary() {
        List<OwedFigure> missed = those(Verdict.SHORT);
        String counts = "%d met, %d short, %d not measured%n"
                .formatted(
                        those(Verdict.MET).size(),
                        missed.size(),
                        those(Verdict.NOT_MEASURED).size());
        return missed.isEmpty() ? counts : counts + "short: " + names(missed) + "\n";
    }

    private static String names(List<OwedFigure> figures) {
        return figures.stream().map(OwedFigure::id).collect(Collectors.joining(", "));
    }
}
