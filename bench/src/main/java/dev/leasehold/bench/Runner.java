package dev.leasehold.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Runs scenarios. Within each repeat all systems take turns, so that noise hits all alike, and with each repeat another one begins.
 *
 * <p>One turn: set up on a schema of its own, warm up, measure, close.
 */
final class Runner {
    /** How long a run that is too short for one operation is repeated. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final double NANOS_PER_SECOND = 1e9;

    private final Bench bench;
    private final WarmUp warmUp;
    private final int repeats;
    private final Choice choice;
    private final Consumer<String> progress;
    private final List<String> failures = new ArrayList<>();

    Runner(Bench bench, WarmUp warmUp, int repeats, Choice choice, Consumer<String> progress) {
        this.bench = bench;
        this.warmUp = warmUp;
        this.repeats = repeats;
        this.choice = choice;
        this.progress = progress;
    }

    List<Result> run(Scenario scenario) {
        List<Result> results = new ArrayList<>();
        for (Variant variant : scenario.variants()) {
            results.addAll(run(scenario, variant));
        }
        return results;
    }

    /** What went wrong so far, one sentence each. */
    List<String> failures() {
        return List.copyOf(failures);
    }

    private List<Result> run(Scenario scenario, Variant variant) {
        List<Contender> present = new ArrayList<>(scenario.contenders().stream()
                .filter(contender -> contender.absence() == null)
                .filter(contender -> contender.takes().test(variant))
                .filter(contender -> choice.includes(scenario, variant, contender))
                .toList());
        Map<Contender, List<Measurement>> measured = new LinkedHashMap<>();
        for (int repeat = 1; repeat <= repeats; repeat++) {
            for (Contender contender : List.copyOf(present)) {
                String turn = "%s, %s, %s, repeat %d of %d"
                        .formatted(scenario.name(), variant.label(), contender.name(), repeat, repeats);
                try {
                    Measurement measurement = turn(contender, variant);
                    progress.accept(String.format(Locale.ROOT, "%s: %,.0f/s", turn, measurement.opsPerSecond()));
                    measured.computeIfAbsent(contender, c -> new ArrayList<>()).add(measurement);
                } catch (Exception e) {
                    fail(turn, e);
                    present.remove(contender);
                    measured.remove(contender);
                }
            }
            Collections.rotate(present, -1);
        }
        return results(scenario, variant, measured);
    }

    private void fail(String turn, Exception e) {
        if (e instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        String failure = turn + " failed: " + e;
        failures.add(failure);
        progress.accept(failure);
    }

    /** In the order in which the scenario names them. */
    private static List<Result> results(
            Scenario scenario, Variant variant, Map<Contender, List<Measurement>> measured) {
        List<Result> results = new ArrayList<>();
        for (Contender contender : scenario.contenders()) {
            List<Measurement> repeats = measured.get(contender);
            if (repeats != null) {
                results.add(new Result(scenario, variant, contender, repeats));
            }
        }
        return results;
    }

    private Measurement turn(Contender contender, Variant variant) throws Exception {
        try (Trial trial = contender.opener().open(bench, variant)) {
            Duration first = contender.isCold() ? warmUp.cold() : warmUp.usual();
            trial.prepare(first);
            if (!bench.isShort()) {
                bench.database().checkpoint();
            }
            trial.run(new Recorder(), first);
            trial.prepare(bench.duration());
            return measure(trial);
        }
    }

    private Measurement measure(Trial trial) throws Exception {
        Counters before = Counters.now(bench.database());
        Recorder recorder = new Recorder();
        long began = System.nanoTime();
        do {
            trial.run(recorder, bench.duration());
        } while (recorder.operations() == 0 && System.nanoTime() - began < PATIENCE.toNanos());
        double seconds = recorder.busyNanosOr(System.nanoTime() - began) / NANOS_PER_SECOND;
        Counters spent = Counters.now(bench.database()).since(before, recorder);
        if (recorder.operations() == 0) {
            throw new IllegalStateException("not one operation was carried out in " + seconds + " s");
        }
        return Measurement.of(recorder, spent, seconds);
    }
}
