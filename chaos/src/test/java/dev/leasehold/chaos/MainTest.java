package dev.leasehold.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.fault.FaultKind;
import dev.leasehold.chaos.workload.Workload;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MainTest {
    private final StringWriter out = new StringWriter();

    @Test
    void the_list_names_every_workload_and_every_fault() {
        assertThat(run("--list")).isZero();
        for (Workload workload : Workload.values()) {
            assertThat(out.toString()).contains("  " + workload.text() + " ");
        }
        for (FaultKind kind : FaultKind.values()) {
            assertThat(out.toString()).contains("  " + kind.text() + " ");
        }
    }

    @Test
    void wrong_names_are_no_verdict_and_say_which_there_are() {
        assertThat(run("--workload", "everything")).isEqualTo(2);
        assertThat(run("--faults", "kill-everything")).isEqualTo(2);
        assertThat(run("--access", "window")).isEqualTo(2);
        assertThat(run("--minuets", "3")).isEqualTo(2);
        assertThat(out.toString())
                .contains("there is no workload 'everything'; there are set,")
                .contains("there is no fault 'kill-everything'; there are pause-client,")
                .contains("--access is one of library, http and mixed, got 'window'");
    }

    private int run(String... arguments) {
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(out, true));
        return line.execute(arguments);
    }
}
