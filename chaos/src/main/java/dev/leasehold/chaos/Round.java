package dev.leasehold.chaos;

import dev.leasehold.chaos.check.Checker;
import dev.leasehold.chaos.check.Violation;
import dev.leasehold.chaos.history.History;
import dev.leasehold.chaos.history.Journal;
import dev.leasehold.chaos.history.Kind;
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
 *   <li>fault after fault, or pair after pair: begin, hold, end, and wait until the rate is back;
 *   <li>leave everybody in peace for so long that whoever waits must have been served;
 *   <li>stop everybody, look at what is left, and let the checker read the history.
 * </ol>
 */
final class Round {
    private static final Duration WARM_UP = Duration.ofSeconds(2);
    private static final Duration CALM = Duration.ofSeconds(3);
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(5);

    /** What is promised for a grant that nobody was told of, when the store answers again. */
    private static final Duration GIVE_BACK = Duration.ofSeconds(1);

    /** The same on a machine that is busy with other things, where the rate does not matter either. */
    private static final Duration SLOW_GIVE_BACK = Duration.ofSeconds(6);

    private static final Duration LONGEST_LEASE = Duration.ofSeconds(3);

    /** What a clock that is set can make of leases that are counted by it. */
    private static final Set<String> BY_TIME = Set.of(
            "OneHolder",
            "LeasedToOne",
            "DeadLettersOnce",
            "PartitionOrder",
            "NothingLost",
            "Overdue",
            "ServedInTime",
            "LocksKept");

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
        violations.addAll(checker().violations(history));
        Losses losses = Losses.of(history);
        if (losses.written() > 0) {
            out.accept(losses.lost() + " of " + losses.written() + " updates without a guard were lost");
        }
        return new Report(plan, directory, calls(history), losses, List.copyOf(complaints), promised(violations));
    }

    /** What a fault may leave behind has until the recovery to go, and a call that was under way has its own timeout before that. */
    private Checker checker() {
        boolean isBusy = plan.enough() == 0;
        Checker checker = Checker.ofSafety()
                .orphansFreedWithin(CALL_TIMEOUT.plus(isBusy ? SLOW_GIVE_BACK : GIVE_BACK), plan.recovery())
                .keepingLocks(recovery());
        Checker strict = isBusy ? checker : checker.answeringWhenCalm(recovery());
        return plan.served().isZero() ? strict : strict.servingWithin(plan.served(), recovery());
    }

    /** How long what a fault has left behind may last. */
    private Duration recovery() {
        return plan.recovery().plus(LONGEST_LEASE);
    }

    private void torment(Recorder recorder) {
        Pulse pulse = new Pulse(directory);
        Polling.sleep(WARM_UP.toMillis());
        calm = pulse.rate(CALM);
        out.accept(String.format(Locale.ROOT, "%.0f calls/s while all is well", calm));
        Random random = new Random(plan.seed());
        long start = System.nanoTime();
        do {
            for (Ordeal ordeal : plan.ordeals(random)) {
                torment(ordeal, recorder, pulse);
            }
        } while (System.nanoTime() - start < plan.atLeast().toNanos()
                && !plan.faults().isEmpty());
        if (plan.faults().isEmpty()) {
            Polling.sleep(plan.atLeast().toMillis());
        }
        if (!plan.served().isZero()) {
            Polling.sleep(recovery().plus(plan.served()).plus(CALM).toMillis());
        }
    }

    private void torment(Ordeal ordeal, Recorder recorder, Pulse pulse) {
        ordeal.hold(site, recorder, plan.hold());
        Duration atMost = recovery();
        Optional<Duration> back = pulse.recover(site.clients().size(), calm * plan.enough(), atMost);
        out.accept(ordeal.text() + ": "
                + back.map(taken -> "back after " + taken.toMillis() + " ms").orElse("not back") + ", "
                + connections().size() + " connections");
        if (back.isEmpty()) {
            complaints.add("calls did not succeed as before " + atMost.toSeconds() + " s after " + ordeal.text());
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
