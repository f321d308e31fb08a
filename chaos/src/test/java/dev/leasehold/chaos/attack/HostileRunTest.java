package dev.leasehold.chaos.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestWaits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What {@code ./leasehold chaos attack} does, for a moment. How long calls take is judged by the command alone. */
@Tag("long")
@Tag("slow")
@ResourceLock("most of the machine") // one class at a time that loads the machine with processes and connections
class HostileRunTest {
    @TempDir
    Path directory;

    @Test
    @Timeout(8 * TestWaits.TEST_LIMIT)
    void a_short_run_breaks_no_promise() {
        List<String> lines = new ArrayList<>();
        try (Victim victim = Victim.start(directory)) {
            HostileRun run = new HostileRun(victim, 200, 1);
            assertThat(run.run(Duration.ofSeconds(20), Duration.ofSeconds(5), Duration.ofMinutes(5), lines::add))
                    .isEmpty();
        }
        assertThat(lines).first().isEqualTo(Sample.HEADING);
        assertThat(lines).hasSizeGreaterThan(2);
    }
}
