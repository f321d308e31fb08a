package dev.leasehold.chaos;

import dev.leasehold.chaos.check.Checker;
import dev.leasehold.chaos.check.Violation;
import dev.leasehold.chaos.fault.Fault;
import dev.leasehold.chaos.fault.FaultKind;
import dev.leasehold.chaos.history.Facts;
import dev.leasehold.chaos.history.History;
import dev.leasehold.chaos.history.Journal;
import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.Recorder;
import dev.leasehold.chaos.site.Site;
import dev.leasehold.chaos.workload.Stage;
import dev.leasehold.testkit.process.HarnessException;
import dev.leasehold.testkit.process.Polling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * One round:
 *
 * <ol>
 *   <li>set the stage, start servers and clients, and take the rate at which calls succeed while all is well;
 *   <li>fault after fault: begin, hold, end, and wait until the rate is back;
 *   <li>stop everybody, look at what is left, and let the checker read the history.
 * </ol>
 */
final class Round {
    private static final Duration WARM_UP = Duration.ofSeconds(2);
    private static final Duration CALM = Duration.ofSeconds(3);
    private static final Duration LONGEST_LEASE = Duration.ofSeconds(3);

    /** What a clock that is set can make of leases that are counted by it. */
    private static final Set<String> BY_TIME =
            Set.of("OneHolder", "LeasedToOne", "DeadLettersOnce", "PartitionOrder", "NothingLost", "Overdue");

    private final Site site;
    private final Plan plan;
    private final Path directory;
    private final Consumer<String> out;
    private final List<String> complaints = new ArrayList<>();
    private double calm;

    Round(Site site, Plan plan, Path directory, Consumer<String> out) {
        this.site = site;
        this.plan = plan;
        this.directory = directory;
        this.out = out;
    }

    Report run() {
        String prefix = "r" + plan.seed() + "-";
        List<Violation> violations = new ArrayList<>();
        try (Journal journal = Journal.writingTo(directory.resolve("harness.jsonl"))) {
            Recorder recorder = new Recorder(journal, prefix + "harness");
            Stage stage = new Stage(site, plan.workloads(), prefix, recorder);
            stage.prepare();
            Crew crew = new Crew(site, plan, directory, prefix);
            crew.start();
            torment(recorder);
            complaints.addAll(crew.stop());
            checkConnections();
            violations.addAll(stage.finish());
        }
        History history = history();
        violations.addAll(Checker.check(history));
        Losses losses = Losses.of(history);
        if (losses.written() > 0) {
            out.accept(losses.lost() + " of " + losses.written() + " updates without a guard were lost");
        }
        return new Report(plan, directory, calls(history), losses, List.copyOf(complaints), promised(violations));
    }

    private void torment(Recorder recorder) {
        Pulse pulse = new Pulse(directory);
        Polling.sleep(WARM_UP.toMillis());
        calm = pulse.rate(CALM);
        out.accept(String.format(Locale.ROOT, "%.0f calls/s while all is well", calm));
        Random random = new Random(plan.seed());
        long start = System.nanoTime();
        do {
            List<FaultKind> kinds = new ArrayList<>(plan.faults());
            Collections.shuffle(kinds, random);
            for (FaultKind kind : kinds) {
                torment(kind, recorder, pulse);
            }
        } while (System.nanoTime() - start < plan.atLeast().toNanos()
                && !plan.faults().isEmpty());
        if (plan.faults().isEmpty()) {
            Polling.sleep(plan.atLeast().toMillis());
        }
    }

    private void torment(FaultKind kind, Recorder recorder, Pulse pulse) {
        Recorder.Call call = recorder.invoke("harness", Operation.FAULT, kind.text(), Facts.NONE);
        Fault fault = kind.on(site);
        fault.begin();
        Polling.sleep(plan.hold().toMillis());
        fault.end();
        call.ok();
        Duration atMost = plan.recovery().plus(LONGEST_LEASE);
        Optional<Duration> back = pulse.recover(site.clients().size(), calm * plan.enough(), atMost);
        out.accept(kind.text() + ": "
                + back.map(taken -> "back after " + taken.toMillis() + " ms").orElse("not back") + ", "
                + connections().size() + " connections");
        if (back.isEmpty()) {
            complaints.add("calls did not succeed as before " + atMost.toSeconds() + " s after " + kind.text());
        }
    }

    /** Nobody is left who could have one. */
    private void checkConnections() {
        try {
            Polling.await(
                    "the end of all connections",
                    Duration.ofSeconds(20),
                    () -> connections().isEmpty());
        } catch (HarnessException e) {
            complaints.add("connections are left: " + connections());
        }
    }

    private List<String> connections() {
        return site.database()
                .ask(
                        "postgres",
                        "select datname || ' ' || query from pg_stat_activity"
                                + " where backend_type = 'client backend' and application_name <> 'chaos'");
    }

    private History history() {
        try (Stream<Path> files = Files.list(directory)) {
            return History.read(
                    files.filter(file -> file.toString().endsWith(".jsonl")).toList());
        } catch (IOException e) {
            throw new HarnessException("could not read the history in " + directory, e);
        }
    }

    private static long calls(History history) {
        return history.events().stream()
                .filter(event -> event.kind() == Kind.OK)
                .count();
    }

    private List<Violation> promised(List<Violation> all) {
        return switch (plan.promise()) {
            case ALL -> all;
            case NOT_BY_TIME ->
                all.stream().filter(v -> !BY_TIME.contains(v.invariant())).toList();
            case NONE -> {
                all.forEach(v -> out.accept("lost, as is to be expected: " + v));
                yield List.of();
            }
        };
    }
}
