package dev.leasehold.chaos;

import dev.leasehold.chaos.Plan.Access;
import dev.leasehold.chaos.attack.AttackCommand;
import dev.leasehold.chaos.fault.FaultKind;
import dev.leasehold.chaos.site.Site;
import dev.leasehold.chaos.workload.Workload;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code leasehold chaos}: workloads while things go wrong, and a checker of what came out. */
@Command(
        name = "chaos",
        subcommands = AttackCommand.class,
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Run workloads while things go wrong on purpose, and check that nothing is lost and no lock has two holders.",
            "Everything runs on this machine, in processes of its own, and ends by itself.",
            "Exit status: 0 if all is well, 1 if a promise was broken, 2 if nothing can be said."
        })
final class ChaosCommand implements Callable<Integer> {
    private static final Duration ROUND = Duration.ofMinutes(2);
    private static final double ENOUGH = 0.8;
    private static final Duration SERVED = Duration.ofSeconds(20);

    /** From how many minutes on faults come in pairs unless told otherwise. */
    private static final double LONG = 10;

    @Option(
            names = "--minutes",
            defaultValue = "2",
            description = "For how long (default 2). Checked every two minutes.")
    private double minutes;

    @Option(names = "--workload", split = ",", description = "Which workloads; all that must not lose if left out.")
    private List<String> workloads = List.of();

    @Option(names = "--access", defaultValue = "mixed", description = "library, http, or mixed (default).")
    private String access = "mixed";

    @Option(
            names = "--faults",
            split = ",",
            description = "Which faults; 'none'; all that break no promise if left out.")
    private List<String> faults = List.of();

    @Option(
            names = "--pairs",
            negatable = true,
            description = "Hold two faults at a time, overlapping; by default if --minutes is 10 or more.")
    private @Nullable Boolean pairs;

    @Option(names = "--seed", description = "The dice: the same faults in the same order on the same targets.")
    private @Nullable Long seed;

    @Option(names = "--hold", defaultValue = "4", description = "How many seconds a fault lasts (default 4).")
    private int hold;

    @Option(
            names = "--recovery",
            defaultValue = "5",
            description = "Within how many seconds the rate must be back (default 5).")
    private int recovery;

    @Option(names = "--keep", paramLabel = "DIR", description = "Where histories and logs go; they stay there.")
    private @Nullable Path keep;

    @Option(names = "--list", description = "Say which workloads and faults there are, and end.")
    private boolean list;

    @Spec
    private @Nullable CommandSpec spec;

    private PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);

    @Override
    public Integer call() throws IOException {
        if (spec != null) {
            out = spec.commandLine().getOut();
        }
        if (list) {
            list();
            return 0;
        }
        long first = seed == null ? ThreadLocalRandom.current().nextInt(1, 1_000_000) : seed;
        Plan plan = plan(first);
        Path directory = keep == null ? Files.createTempDirectory("leasehold-chaos") : Files.createDirectories(keep);
        out.println("seed " + first + ", histories in " + directory);
        if (plan.pairs()) {
            out.println("two faults at a time, overlapping" + (pairs == null ? "; --no-pairs for one at a time" : ""));
        }
        Site site = Site.open(directory.resolve("site-" + first), first);
        Runtime.getRuntime().addShutdownHook(new Thread(site::close, "chaos-closing")); // after ctrl-C too
        plan.faults().forEach(kind -> kind.prepare(site));
        return rounds(site, directory, plan) ? 0 : 1;
    }

    /** Round after round; the first that is not good is the last. */
    private boolean rounds(Site site, Path directory, Plan first) throws IOException {
        Duration all = Duration.ofMillis((long) (minutes * 60_000));
        long start = System.nanoTime();
        Plan plan = first;
        Duration rest = all;
        do {
            Plan next = plan.lasting(rest.compareTo(ROUND) < 0 ? rest : ROUND);
            Path place = Files.createDirectories(directory.resolve("round-" + next.seed()));
            Report report = new Round(site, next, place, out::println).run();
            report.lines().forEach(out::println);
            if (!report.isGood()) {
                out.println("again with: ./leasehold chaos --seed " + next.seed() + options());
                return false;
            }
            plan = next.seed(next.seed() + 1);
            rest = all.minusNanos(System.nanoTime() - start);
        } while (!rest.isNegative() && !rest.isZero());
        return true;
    }

    private Plan plan(long first) {
        return new Plan(
                chosen(),
                Access.of(access),
                kinds(),
                isInPairs(),
                first,
                ROUND,
                Duration.ofSeconds(hold),
                Duration.ofSeconds(recovery),
                ENOUGH,
                SERVED);
    }

    private boolean isInPairs() {
        return pairs == null ? minutes >= LONG : pairs;
    }

    private String options() {
        return (workloads.isEmpty() ? "" : " --workload " + String.join(",", workloads))
                + (faults.isEmpty() ? "" : " --faults " + String.join(",", faults))
                + (isInPairs() ? " --pairs" : "")
                + " --access " + access;
    }

    private Set<Workload> chosen() {
        Set<Workload> chosen = EnumSet.noneOf(Workload.class);
        workloads.forEach(text -> chosen.add(Workload.of(text)));
        if (chosen.isEmpty()) {
            Arrays.stream(Workload.values())
                    .filter(workload -> !workload.isDemonstration())
                    .forEach(chosen::add);
        }
        return chosen;
    }

    private List<FaultKind> kinds() {
        List<FaultKind> kinds = new ArrayList<>();
        if (faults.isEmpty()) {
            Arrays.stream(FaultKind.values())
                    .filter(kind -> kind.promise() == FaultKind.Promise.ALL)
                    .filter(kind -> !kind.needsServers() || !access.equals("library"))
                    .forEach(kinds::add);
        } else if (!faults.equals(List.of("none"))) {
            faults.forEach(text -> kinds.add(FaultKind.of(text)));
        }
        kinds.stream()
                .filter(kind -> !kind.missing().isEmpty())
                .forEach(kind -> out.println("without " + kind.text() + ": " + kind.missing()));
        kinds.removeIf(kind -> !kind.missing().isEmpty());
        return kinds;
    }

    private void list() {
        out.println("Workloads:");
        for (Workload workload : Workload.values()) {
            out.printf("  %-20s %s%n", workload.text(), workload.description());
        }
        out.println("Faults:");
        for (FaultKind kind : FaultKind.values()) {
            out.printf(
                    "  %-20s %s%s%n",
                    kind.text(), kind.description(), kind.missing().isEmpty() ? "" : " (" + kind.missing() + ")");
        }
    }
}
