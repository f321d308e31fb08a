package dev.leasehold.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class WatchdogTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    Path temporary;

    private Path directory;

    @BeforeEach
    void directory() {
        directory = Scratch.withDatabase(temporary.resolve("data of ours"));
    }

    @Test
    void the_server_and_its_directory_go_when_the_owner_is_killed() throws Exception {
        Process owner = new ProcessBuilder("sleep", "600").start();
        try {
            Watchdog.start(ProcessId.of(owner.toHandle()), directory);
            EmbeddedPostgres.start(directory, 0);
            Path cluster = directory.toRealPath().resolve("database/data");
            long postmaster = Postmaster.running(cluster).orElseThrow().pid();
            owner.destroyForcibly().waitFor();
            Awaitility.await().atMost(PATIENCE).until(() -> Files.notExists(directory));
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> ProcessHandle.of(postmaster).isEmpty());
        } finally {
            owner.destroyForcibly();
        }
    }

    @Test
    void a_process_that_only_has_the_number_of_the_owner_is_not_the_owner() {
        ProcessId self = ProcessId.of(ProcessHandle.current());
        Watchdog.start(new ProcessId(self.pid(), self.startTicks() - 1), directory);
        Awaitility.await().atMost(PATIENCE).until(() -> Files.notExists(directory));
    }

    @Test
    void a_directory_that_another_process_has_taken_is_left_alone() throws Exception {
        Process owner = new ProcessBuilder("sleep", "600").start();
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(directory, 0)) {
            Watchdog.keepingData(ProcessId.of(owner.toHandle()), directory);
            long watchdog = watchdogOf(owner.pid());
            owner.destroyForcibly().waitFor();

            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> ProcessHandle.of(watchdog).isEmpty());
            Path cluster = postgres.directory().resolve("database/data");
            assertThat(Postmaster.running(cluster)).isPresent();
        } finally {
            owner.destroyForcibly();
        }
    }

    private static long watchdogOf(long owner) {
        return Awaitility.await()
                .atMost(PATIENCE)
                .until(
                        () -> ProcessHandle.allProcesses()
                                .filter(process -> process.info()
                                        .commandLine()
                                        .orElse("")
                                        .contains("leasehold-watchdog " + owner + " "))
                                .mapToLong(ProcessHandle::pid)
                                .findFirst(),
                        OptionalLong::isPresent)
                .getAsLong();
    }
}
