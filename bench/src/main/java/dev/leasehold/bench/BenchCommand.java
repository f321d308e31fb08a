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
    private static final Duration RUN = Duration.ofSeconds(15);

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
            description = "How long each run lasts. Default: 15; with --check 4, and 20 for Q3 and Q5.")
    private @Nullable Double seconds;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            description = "How long each system runs before it is measured. Default: a third of --seconds, 5 at most;"
                    + " 10 at least for systems in JVMs of their own.")
    private @Nullable Double warmUp;

    @Option(
            names = "--repeats",
            defaultValue = "3",
            description = "How often each run is repeated. Default: ${DEFAULT-VALUE}.")
    private int repeats;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "One file for the report of all groups. Default: a file each, bench/results/GROUP.json.")
    private @Nullable Path json;

    @Option(
            names = "--postgres-url",
            paramLabel = "URL",
            description = "The JDBC address of a PostgreSQL. Default: an embedded one.")
    private @Nullable String postgresUrl;

    @Option(
            names = "--check",
            description = "Measures what the owed figures need, judges each, and exits with 1 if one falls short."
                    + " Writes no charts, and a report only if --json is given.")
    private boolean check;

    @Option(names = "--list", description = "Lists the scenarios and their systems, and measures nothing.")
    private boolean list;

    private final List<String> failures = new ArrayList<>();

    @Override
    public Integer call() {
        validate();
        List<Scenario> chosen = chosen();
        if (list) {
            chosen.forEach(scenario -> out().println(describe(scenario)));
            return 0;
        }
        List<Result> results = new ArrayList<>();
        try (Database database = open()) {
            progress("PostgreSQL " + database.version() + ", fsync and synchronous_commit on");
            for (Group group : groups()) {
                results.addAll(measure(database, group, chosen));
            }
        }
        if (json != null && !results.isEmpty()) {
            JsonReport.write(json, results);
        }
        failures.forEach(this::progress);
        int judged = check ? judge(results) : 0;
        return failures.isEmpty() ? judged : 1;
    }

    private List<Result> measure(Database database, Group group, List<Scenario> chosen) {
        List<Result> results = new ArrayList<>();
        for (Scenario scenario : chosen) {
            if (scenario.group() == group) {
                results.addAll(measure(database, scenario));
            }
        }
        if (json == null && !check && !results.isEmpty()) {
            JsonReport.write(Home.results().resolve(group + ".json"), results);
        }
        return results;
    }

    private List<Result> measure(Database database, Scenario scenario) {
        Bench bench = new Bench(database, run(scenario));
        Runner runner = new Runner(bench, warmUp(bench.duration()), repeats, choice(), this::progress);
        List<Result> results = runner.run(scenario);
        failures.addAll(runner.failures());
        if (!results.isEmpty()) {
            out().println(Table.of(scenario, results));
            out().flush();
        }
        if (!check) {
            Chart.write(Home.results(), scenario, results);
        }
        return results;
    }

    private int judge(List<Result> results) {
        Check judged = new Check(OwedFigures.ALL, results);
        out().println(judged.text());
        return judged.exitStatus();
    }

    private void validate() {
        boolean isPositive = (seconds == null || seconds > 0) && (warmUp == null || warmUp > 0);
        if (!isPositive || repeats < 1) {
            throw new ParameterException(
                    Objects.requireNonNull(spec).commandLine(),
                    "--seconds and --warm-up must be positive and --repeats at least 1");
        }
    }

    private Duration run(Scenario scenario) {
        if (seconds != null) {
            return duration(seconds);
        }
        return check ? Check.run(scenario) : RUN;
    }

    private WarmUp warmUp(Duration run) {
        return warmUp != null ? WarmUp.of(duration(warmUp)) : WarmUp.before(run);
    }

    private Choice choice() {
        Choice named = (scenario, variant, contender) -> systems.isEmpty() || systems.contains(contender.name());
        return check ? named.and(OwedFigures::need) : named;
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

    private static String describe(Scenario scenario) {
        StringBuilder text = new StringBuilder(scenario.name() + " (" + scenario.group() + "): " + scenario.title());
        scenario.variants().forEach(variant -> text.append("\n  variant: ").append(variant.label()));
        scenario.contenders()
                .forEach(contender -> text.append("\n  system: ")
                        .append(contender.name())
                        .append(contender.absence() == null ? "" : " (left out: " + contender.absence() + ")"));
        OwedFigures.of(scenario)
                .forEach(owed -> text.append("\n  owed: ")
                        .append(owed.variant())
                        .append(", ")
                        .append(owed.what())
                        .append(": ")
                        .append(owed.owed()));
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
