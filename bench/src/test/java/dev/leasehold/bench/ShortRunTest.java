package dev.leasehold.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.leasehold.cli.server.Logging;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Everything that can be measured is measured for a moment, so that it cannot rot. How fast it is, is not looked at. */
class ShortRunTest {
    private static final String HOME = "leasehold.home";

    /** They want Node, and a network to install their packages from. */
    private static final Set<String> ON_NODE = Set.of("graphile-worker", "pg-boss");

    @TempDir
    Path home;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

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

    @Test
    void every_system_runs_in_every_scenario() throws Exception {
        assertThat(type("--seconds", "0.2", "--repeats", "1", "--systems", systems()))
                .as(err.toString())
                .isZero();
        List<String> expected = new ArrayList<>();
        for (Scenario scenario : Scenarios.all()) {
            expected.addAll(rows(scenario));
            Path chart = home.resolve("bench/results/" + scenario.name() + ".svg");
            assertThat(ReportsTest.parse(Files.readString(chart))
                            .getElementsByTagName("rect")
                            .getLength())
                    .isPositive();
        }
        assertThat(measured()).containsExactlyInAnyOrderElementsOf(expected);
    }

    private static String systems() {
        return Scenarios.all().stream()
                .flatMap(scenario -> scenario.contenders().stream())
                .map(Contender::name)
                .filter(name -> !ON_NODE.contains(name))
                .distinct()
                .collect(Collectors.joining(","));
    }

    private static List<String> rows(Scenario scenario) {
        List<String> rows = new ArrayList<>();
        for (Variant variant : scenario.variants()) {
            for (Contender contender : scenario.contenders()) {
                if (contender.absence() == null
                        && contender.takes().test(variant)
                        && !ON_NODE.contains(contender.name())) {
                    rows.add(scenario.name() + ", " + variant.label() + ", " + contender.name());
                }
            }
        }
        return rows;
    }

    private List<String> measured() throws IOException {
        List<String> rows = new ArrayList<>();
        for (Group group : Group.values()) {
            Path report = home.resolve("bench/results/" + group + ".json");
            if (Files.exists(report)) {
                for (JsonNode row : new ObjectMapper().readTree(Files.readString(report))) {
                    assertThat(row.path("ops_per_second").doubleValue())
                            .as(row.toString())
                            .isPositive();
                    rows.add(row.path("scenario").textValue() + ", "
                            + row.path("variant").textValue() + ", "
                            + row.path("system").textValue());
                }
            }
        }
        return rows;
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
