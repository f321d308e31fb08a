package dev.leasehold.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;

class OutputTest {
    private final StringWriter written = new StringWriter();

    private Output output(Ansi ansi) {
        return new Output(new PrintWriter(written, true), Help.defaultColorScheme(ansi), false);
    }

    @Test
    void columns_are_aligned_and_lines_have_no_spaces_at_their_end() {
        output(Ansi.OFF).table(List.of("KEY", "FENCE"), List.of(List.of("a", "1"), List.of("a long key", "")));
        assertThat(written.toString().lines()).containsExactly("KEY         FENCE", "a           1", "a long key");
    }

    @Test
    void on_a_terminal_headers_are_bold_and_states_have_a_colour() {
        output(Ansi.ON).table(List.of("STATUS"), List.of(List.of("ok"), List.of("fail"), List.of("other")));
        assertThat(written.toString())
                .contains("\u001b[1mSTATUS")
                .contains("\u001b[32mok")
                .contains("\u001b[31mfail")
                .containsPattern("(?m)^other");
    }

    @Test
    void what_looks_like_markup_is_data() {
        output(Ansi.ON).fields(Map.of("key", "@|red x|@"));
        assertThat(written.toString()).contains("@|red x|@").doesNotContain("\u001b[31m");
    }

    @Test
    void characters_that_move_the_cursor_are_not_printed() {
        assertThat(Output.printable("a\u001b[2Jb\nc")).isEqualTo("a?[2Jb?c");
    }
}
