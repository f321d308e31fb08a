package dev.leasehold.bench;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Measures what was asked for, and reports. */
@Command(
        name = "leasehold bench",
        mixinStandardHelpOptions = true,
        description =
                "Measures Leasehold and its peers side by side, on a PostgreSQL with fsync and synchronous_commit on.",
        footer = {
            "",
            "The figures are those of the repeat with the median rate; ratios are to Leasehold in the same run.",
            "Tables go to standard output, reports and charts to bench/results."
        })
final class BenchCommand implements Callable<Integer> {
    private static final double WARM_UP_PART = 3;
    private static final double LONGEST_WARM_UP_SECONDS = 5;

    @CommandLine.Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "GROUP", description = "What to measure: locks, queues, http. Default: all of them.")
    private List<Group> groups = new ArrayList<>();

    @Option(
            names = "--scenario",
            split = ",",
            paramLabel = "NAME",
            description = "Only these scenarios, such as L1,L2.")
    private Set<String> scenarios = Set.of();

    @Option(
            names = "--systems",
            split = ",",
            paramLabel = "NAME",
            description = "Only these systems, such as leasehold,shedlock.")
    private Set<String> systems = Set.of();

    @Option(
            names = "--seconds",
            defaultValue = "15",
            description = "How long each run lasts. Default: ${DEFAULT-VALUE}.")
    private double seconds;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            description = "How long each system runs before it is measured. Default: a third of --seconds, 5 at most.")
    private @Nullable Double warmUp;

    @Option(
            names = "--repeats",
            defaultValue = "3",
            description = "How often each run is repeated. Default: ${DEFAULT-VALUE}.")
    private int repeats;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Where the report goes. Default: bench/results/GROUP.json.")
    private @Nullable Path json;

    @Option(
            names = "--postgres-url",
            paramLabel = "URL",
            description = "The JDBC address of a PostgreSQL. Default: an embedded one.")
    private @Nullable String postgresUrl;

    @Option(names = "--list", description = "Lists the scenarios and their systems, and measures nothing.")
    private boolean list;

    @Override
    public Integer call() {
        check();
        List<Scenario> chosen = chosen();
        if (list) {
            chosen.forEach(scenario -> out().println(describe(scenario)));
            return 0;
        }
        try (Database database = open()) {
            progress("PostgreSQL " + database.version() + ", fsync and synchronous_commit on");
            Bench bench = new Bench(database, duration(seconds));
            Runner runner = new Runner(bench, duration(warmUp()), repeats, this::isChosen, this::progress);
            for (Group group : groups()) {
                measure(runner, group, chosen);
            }
            runner.failures().forEach(this::progress);
            return runner.failures().isEmpty() ? 0 : 1;
        }
    }

    private void measure(Runner runner, Group group, List<Scenario> chosen) {
        List<Result> results = new ArrayList<>();
        for (Scenario scenario : chosen) {
            if (scenario.group() == group) {
                List<Result> found = runner.run(scenario);
                results.addAll(found);
                out().println(Table.of(scenario, found));
                out().flush();
                Chart.write(Home.results(), scenario, found);
            }
        }
        if (!results.isEmpty()) {
            JsonReport.write(json != null ? json : Home.results().resolve(group + ".json"), results);
        }
    }

    private void check() {
        if (seconds <= 0 || warmUp() <= 0 || repeats < 1) {
            throw new ParameterException(
                    Objects.requireNonNull(spec).commandLine(),
                    "--seconds and --warm-up must be positive and --repeats at least 1");
        }
    }

    private double warmUp() {
        return warmUp != null ? warmUp : Math.min(seconds / WARM_UP_PART, LONGEST_WARM_UP_SECONDS);
    }

    private static Duration duration(double seconds) {
        return Duration.ofMillis(Math.round(seconds * 1000));
    }

    private Set<Group> groups() {
        return groups.isEmpty() ? EnumSet.allOf(Group.class) : EnumSet.copyOf(groups);
    }

    private List<Scenario> chosen() {
        List<Scenario> chosen = Scenarios.all().stream()
                .filter(scenario -> groups().contains(scenario.group()))
                .filter(scenario -> scenarios.isEmpty() || scenarios.contains(scenario.name()))
                .toList();
        if (chosen.isEmpty()) {
            throw new ParameterException(
                    Objects.requireNonNull(spec).commandLine(), "no such scenario; --list shows those that there are");
        }
        return chosen;
    }

    private boolean isChosen(String system) {
        return systems.isEmpty() || systems.contains(system);
    }

    private static String describe(Scenario scenario) {
        StringBuilder text = new StringBuilder(scenario.name() + " (" + scenario.group() + "): " + scenario.title());
        scenario.variants().forEach(variant -> text.append("\n  variant: ").append(variant.label()));
        scenario.contenders()
                .forEach(contender -> text.append("\n  system: ")
                        .append(contender.name())
                        .append(contender.absence() == null ? "" : " (left out: " + contender.absence() + ")"));
        return text.toString();
    }

    private Database open() {
        return postgresUrl == null
                ? Database.embedded(Home.database())
                : Database.at(postgresUrl.startsWith("jdbc:") ? postgresUrl : "jdbc:" + postgresUrl, "", "");
    }

    private PrintWriter out() {
        return Objects.requireNonNull(spec).commandLine().getOut();
    }

    private void progress(String line) {
        PrintWriter err = Objects.requireNonNull(spec).commandLine().getErr();
        err.println(String.format(Locale.ROOT, "bench: %s", line));
        err.flush();
    }
}
