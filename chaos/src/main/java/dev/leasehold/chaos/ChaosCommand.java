package dev.leasehold.chaos;

import dev.leasehold.chaos.Plan.Doors;
import dev.leasehold.chaos.fault.FaultKind;
import dev.leasehold.chaos.site.Site;
import dev.leasehold.chaos.workload.Workload;
import dev.leasehold.cli.server.Logging;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code leasehold chaos}: workloads while things go wrong, and a checker of what came out. */
@Command(
        name = "chaos",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Run workloads while things go wrong on purpose, and check that nothing is lost and no lock has two holders.",
            "Everything runs on this machine, in processes of its own, and ends by itself.",
            "Exit status: 0 if all is well, 1 if a promise was broken."
        })
public final class ChaosCommand implements Callable<Integer> {
    private static final Duration ROUND = Duration.ofMinutes(2);

    @Option(names = "--minutes", defaultValue = "2", description = "For how long (default 2). Checked every two minutes.")
    private double minutes;

    @Option(names = "--workload", split = ",", description = "Which workloads; all that must not lose if left out.")
    private List<String> workloads = List.of();

    @Option(names = "--door", defaultValue = "mixed", description = "library, http, or mixed (default).")
    private String door = "mixed";

    @Option(names = "--faults", split = ",", description = "Which faults; 'none'; all that break no promise if left out.")
    private List<String> faults = List.of();

    @Option(names = "--seed", description = "The dice: the same faults in the same order on the same targets.")
    private @Nullable Long seed;

    @Option(names = "--hold", defaultValue = "4", description = "How many seconds a fault lasts (default 4).")
    private int hold;

    @Option(names = "--recovery", defaultValue = "5", description = "Within how many seconds the rate must be back (default 5).")
    private int recovery;

    @Option(names = "--keep", paramLabel = "DIR", description = "Where histories and logs go; they stay there.")
    private @Nullable Path keep;

    @Option(names = "--list", description = "Say which workloads and faults there are, and end.")
    private boolean list;

    public static void main(String[] args) {
        Logging.quiet();
        System.exit(new CommandLine(new ChaosCommand()).execute(args));
    }

    @Override
    public Integer call() throws IOException {
        if (list) {
            list();
            return 0;
        }
        long first = seed == null ? ThreadLocalRandom.current().nextInt(1, 1_000_000) : seed;
        Path directory = keep == null ? Files.createTempDirectory("leasehold-chaos") : Files.createDirectories(keep);
        List<FaultKind> kinds = kinds();
        System.out.println("seed " + first + ", histories in " + directory);
        Site site = Site.open(directory.resolve("site-" + first), first);
        Thread closing = new Thread(site::close, "chaos-closing");
        Runtime.getRuntime().addShutdownHook(closing);
        kinds.forEach(kind -> kind.prepare(site));
        return rounds(site, directory, first, kinds) ? 0 : 1;
    }

    private boolean rounds(Site site, Path directory, long first, List<FaultKind> kinds) throws IOException {
        Duration all = Duration.ofMillis((long) (minutes * 60_000));
        long start = System.nanoTime();
        for (long next = first; ; next++) {
            Duration rest = all.minusNanos(System.nanoTime() - start);
            if (next > first && (rest.isNegative() || rest.isZero())) {
                return true;
            }
            Plan plan = new Plan(
                    chosen(),
                    Doors.valueOf(door.toUpperCase(Locale.ROOT)),
                    kinds,
                    next,
                    rest.compareTo(ROUND) < 0 ? rest : ROUND,
                    Duration.ofSeconds(hold),
                    Duration.ofSeconds(recovery));
            Path place = Files.createDirectories(directory.resolve("round-" + next));
            Report report = new Round(site, plan, place, System.out::println).run();
            report.lines().forEach(System.out::println);
            if (!report.isGood()) {
                System.out.println("again with: ./leasehold chaos --seed " + next + options());
                return false;
            }
        }
    }

    private String options() {
        return (workloads.isEmpty() ? "" : " --workload " + String.join(",", workloads))
                + (faults.isEmpty() ? "" : " --faults " + String.join(",", faults))
                + " --door " + door;
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
                    .filter(kind -> !kind.needsServers() || !door.equals("library"))
                    .forEach(kinds::add);
        } else if (!faults.equals(List.of("none"))) {
            faults.forEach(text -> kinds.add(FaultKind.of(text)));
        }
        kinds.stream()
                .filter(kind -> !kind.missing().isEmpty())
                .forEach(kind -> System.out.println("without " + kind.text() + ": " + kind.missing()));
        kinds.removeIf(kind -> !kind.missing().isEmpty());
        return kinds;
    }

    private static void list() {
        System.out.println("Workloads:");
        for (Workload workload : Workload.values()) {
            System.out.printf("  %-20s %s%n", workload.text(), workload.description());
        }
        System.out.println("Faults:");
        for (FaultKind kind : FaultKind.values()) {
            System.out.printf(
                    "  %-20s %s%s%n",
                    kind.text(), kind.description(), kind.missing().isEmpty() ? "" : " (" + kind.missing() + ")");
        }
    }
}
