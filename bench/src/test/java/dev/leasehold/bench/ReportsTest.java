package dev.leasehold.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/** The table, the JSON and the chart say the same. */
class ReportsTest {
    private final Scenario scenario = Examples.scenario(
            Examples.contender(Contender.LEASEHOLD),
            Examples.contender("peer"),
            Contender.absent("redis", "there is none"));
    private final List<Result> results = List.of(
            Examples.result(scenario, Contender.LEASEHOLD, 2000, 4000, 3000),
            Examples.result(scenario, "peer", 1000, 1000, 1000));

    @Test
    void the_table_has_a_row_for_each_system_with_its_ratio_to_leasehold() {
        List<String> lines = Table.of(scenario, results).lines().toList();
        assertThat(lines).contains("X1: a & b", "one operation: one thing");
        assertThat(lines).anyMatch(line -> line.matches("8 threads +leasehold +3,000 +1\\.00 +1\\.50 .*"));
        assertThat(lines).anyMatch(line -> line.matches("8 threads +peer +1,000 +0\\.333 +1\\.50 .*"));
    }

    @Test
    void the_table_says_what_was_chosen_and_who_is_absent() {
        assertThat(Table.of(scenario, results))
                .contains("peer 1.0: settings of peer")
                .contains("redis left out: there is none")
                .contains("peer: table MB 7.00");
    }

    @Test
    void numbers_show_three_digits_that_mean_something() {
        assertThat(List.of(12_345.6, 45.67, 1.234, 0.1234, 0.0))
                .map(Table::number)
                .containsExactly("12,346", "45.7", "1.23", "0.123", "0.00");
    }

    @Test
    void the_report_is_a_list_of_objects_with_these_keys(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("new").resolve("report.json");
        JsonReport.write(file, results);
        JsonNode rows = new ObjectMapper().readTree(Files.readString(file));
        assertThat(rows).hasSize(2);
        JsonNode peer = rows.get(1);
        assertThat(peer.path("scenario").textValue()).isEqualTo("X1");
        assertThat(peer.path("system").textValue()).isEqualTo("peer");
        assertThat(peer.path("version").textValue()).isEqualTo("1.0");
        assertThat(peer.path("concurrency").intValue()).isEqualTo(8);
        assertThat(peer.path("ops_per_second").doubleValue()).isEqualTo(1000);
        assertThat(peer.path("p50_ms").doubleValue()).isEqualTo(1.5);
        assertThat(peer.path("p99_ms").doubleValue()).isEqualTo(2.5);
        assertThat(peer.path("wal_bytes_per_op").doubleValue()).isEqualTo(800);
        assertThat(peer.path("round_trips_per_op").isNull()).isTrue();
        assertThat(peer.path("ratio_to_leasehold").doubleValue()).isEqualTo(0.333);
    }

    @Test
    void the_chart_is_well_formed_and_its_longest_bar_is_the_fastest() throws Exception {
        Document chart = parse(Chart.svg(scenario, results));
        assertThat(chart.getElementsByTagName("rect").getLength()).isEqualTo(2);
        assertThat(width(chart, 0)).isGreaterThan(width(chart, 1));
        assertThat(chart.getElementsByTagName("text").item(0).getTextContent()).isEqualTo("X1: a & b");
    }

    private static double width(Document chart, int bar) {
        return Double.parseDouble(chart.getElementsByTagName("rect")
                .item(bar)
                .getAttributes()
                .getNamedItem("width")
                .getTextContent());
    }

    static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }
}
