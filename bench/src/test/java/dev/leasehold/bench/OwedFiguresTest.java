package dev.leasehold.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The list of what is owed: all of it can be measured, and the document says the same. */
class OwedFiguresTest {
    private static final Path DOCUMENT = Path.of("../docs/performance.md");

    @Test
    void no_two_figures_have_the_same_id() {
        assertThat(OwedFigures.ALL).extracting(OwedFigure::id).doesNotHaveDuplicates();
    }

    @Test
    void every_figure_has_a_scenario_with_its_variant_and_its_systems() {
        assertThat(OwedFigures.ALL).allSatisfy(owed -> {
            Scenario scenario = Scenarios.all().stream()
                    .filter(one -> one.name().equals(owed.scenario()))
                    .findFirst()
                    .orElseThrow();
            Variant variant = scenario.variants().stream()
                    .filter(one -> owed.isIn(scenario, one))
                    .findFirst()
                    .orElseThrow();
            assertThat(scenario.contenders())
                    .filteredOn(contender -> contender.takes().test(variant))
                    .extracting(Contender::name)
                    .contains(owed.figure().system())
                    .containsAll(owed.figure().others());
        });
    }

    @Test
    void the_document_has_a_row_for_each_of_them() throws IOException {
        assertThat(Files.readAllLines(DOCUMENT))
                .containsAll(OwedFigures.ALL.stream()
                        .map(owed -> "| `%s` | %s | %s | %s |"
                                .formatted(owed.id(), owed.variant(), owed.what(), owed.owed()))
                        .toList());
    }
}
