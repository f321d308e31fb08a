package dev.leasehold.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.leasehold.cli.server.Logging;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Every scenario is run for a moment with nearly every system, so that none can rot. How fast it is, is not looked at. */
@Tag("slow")
class ShortRunTest {
    private static final String HOME = "leasehold.home";

    /** They want Node, and a network to install their packages from. */
    private static final Set<String> ON_NODE = Set.of("graphile-worker", "pg-boss");

    /** They take seconds to start, or to poll, and differ in a setting alone from what does run. */
    private static final Set<String> SLOW = Set.of("jobrunr in Q2", "spring-10ms in L2", "leasehold-central in L6");

    private static final Duration MOMENT = Duration.ofMillis(100);

    private static Database database;

    @TempDir
    Path home;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeAll
    static void open(@TempDir Path directory) {
        database = Database.embedded(directory.resolve("database"));
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @BeforeEach
    void atHome() {
        Logging.quiet();
        System.setProperty(HOME, home.toString());
    }

    @AfterEach
    void leave() {
        System.clearProperty(HOME);
    }

    private int type(String... words) {
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return command.execute(words);
    }

    private int measure(String... words) {
        String credentials = "?user=" + database.user() + "&password=" + database.password();
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--seconds", "0.1", "--repeats", "1", "--postgres-url", database.url() + credentials));
        return type(all.toArray(String[]::new));
    }

    /** Side by side, because it does not matter how fast they are. */
    @Test
    void every_system_runs_in_every_scenario() {
        List<String> measured =
                Scenarios.all().parallelStream().flatMap(ShortRunTest::measured).toList();
        assertThat(measured)
                .containsExactlyInAnyOrderElementsOf(Scenarios.all().stream()
                        .flatMap(scenario -> rows(scenario).stream())
                        .toList());
    }

    private static Stream<String> measured(Scenario scenario) {
        Runner runner = runner();
        List<Result> results = runner.run(scenario);
        assertThat(runner.failures()).isEmpty();
        assertThat(results)
                .allSatisfy(result -> assertThat(result.median().operations()).isPositive());
        return results.stream().map(result -> name(scenario, result.variant(), result.contender()));
    }

    private static Runner runner() {
        return new Runner(new Bench(database, MOMENT), WarmUp.before(MOMENT), 1, ShortRunTest::isShown, line -> {});
    }

    /** One variant for each system: the last that it takes, which is the one with most to it. */
    private static boolean isShown(Scenario scenario, Variant variant, Contender contender) {
        return !SLOW.contains(contender.name() + " in " + scenario.name())
                && !ON_NODE.contains(contender.name())
                && scenario.variants().stream()
                        .filter(contender.takes())
                        .reduce((first, second) -> second)
                        .filter(variant::equals)
                        .isPresent();
    }

    private static List<String> rows(Scenario scenario) {
        List<String> rows = new ArrayList<>();
        for (Variant variant : scenario.variants()) {
            for (Contender contender : scenario.contenders()) {
                if (contender.absence() == null && isShown(scenario, variant, contender)) {
                    rows.add(name(scenario, variant, contender));
                }
            }
        }
        return rows;
    }

    private static String name(Scenario scenario, Variant variant, Contender contender) {
        return scenario.name() + ", " + variant.label() + ", " + contender.name();
    }

    @Test
    void the_command_writes_tables_reports_and_charts() throws Exception {
        assertThat(measure("locks", "--scenario", "L5")).as(err.toString()).isZero();
        assertThat(out.toString()).contains("L5: ").contains("unguarded");
        JsonNode report = new ObjectMapper().readTree(Files.readString(home.resolve("bench/results/locks.json")));
        assertThat(report).hasSize(6);
        Path chart = home.resolve("bench/results/L5.svg");
        assertThat(ReportsTest.parse(Files.readString(chart))
                        .getElementsByTagName("rect")
                        .getLength())
                .isEqualTo(6);
    }

    /** Every figure of L1 compares two systems, so that one alone is not judged, however fast the machine is. */
    @Test
    void a_check_measures_what_is_owed_and_lists_the_rest() {
        assertThat(measure("--check", "--scenario", "L1", "--systems", "leasehold"))
                .as(err.toString())
                .isZero();
        assertThat(err.toString()).contains("64 threads, leasehold,").doesNotContain("8 threads, leasehold,");
        assertThat(out.toString())
                .contains("0 met, 0 short, " + OwedFigures.ALL.size() + " not measured")
                .contains("Q10.late");
        assertThat(home.resolve("bench/results")).doesNotExist();
    }

    @Test
    void the_list_names_scenarios_and_systems_and_measures_nothing() {
        assertThat(type("--list", "locks")).isZero();
        assertThat(out.toString()).contains("L1 (locks)").contains("system: shedlock");
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void an_unknown_scenario_is_refused() {
        assertThat(type("locks", "--scenario", "L77")).isNotZero();
        assertThat(err.toString()).contains("no such scenario");
    }
}
