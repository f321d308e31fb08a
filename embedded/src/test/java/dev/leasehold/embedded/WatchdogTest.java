package dev.leasehold.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** Its owner was killed while pg_ctl was at work: there is no server yet, nor its pid file. */
    @Test
    void a_server_that_starts_long_after_its_owner_was_killed_is_stopped() throws Exception {
        List<String> late = new ArrayList<>(List.of("sh", "-c", "\"$@\" & wait", "owner"));
        late.addAll(List.of("sh", "-c", "sleep 8; exec \"$@\"", "pg_ctl"));
        late.addAll(pgCtlStart().words());
        Path log = directory.resolve("database/postgresql.log");
        Files.deleteIfExists(log);
        Process owner = new ProcessBuilder(late).start();
        try {
            Files.writeString(directory.resolve("lock"), owner.pid() + "\n");
            Watchdog.keepingData(ProcessId.of(owner.toHandle()), directory);
            awaitProcessesOfDirectory(2);
            owner.destroyForcibly().waitFor();

            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> Files.exists(log) && Files.readString(log).contains("starting PostgreSQL"));
            awaitProcessesOfDirectory(0);
        } finally {
            owner.destroyForcibly();
            stopServer();
        }
    }

    /** A taker had not written its number to the end, or the number has gone to a process that has not taken the directory. */
    @ParameterizedTest
    @ValueSource(strings = {"nothing", "half a number", "the number of another process"})
    void a_lock_file_that_names_no_taker_does_not_keep_the_server_running(String content) throws Exception {
        Process owner = new ProcessBuilder("sleep", "600").start();
        try {
            pgCtlStart().run("start a server");
            Files.writeString(directory.resolve("lock"), lockFile(content, Long.toString(owner.pid())));
            Watchdog.keepingData(ProcessId.of(owner.toHandle()), directory);
            owner.destroyForcibly().waitFor();

            awaitProcessesOfDirectory(0);
        } finally {
            owner.destroyForcibly();
            stopServer();
        }
    }

    private static String lockFile(String content, String owner) {
        return switch (content) {
            case "nothing" -> "";
            case "half a number" -> owner.substring(0, owner.length() - 1);
            default -> ProcessHandle.current().pid() + "\n";
        };
    }

    @Test
    void a_server_whose_pid_file_cannot_be_found_goes_with_its_directory() throws Exception {
        Process owner = new ProcessBuilder("sleep", "600").start();
        try {
            pgCtlStart().run("start a server");
            long postmaster = Postmaster.running(cluster()).orElseThrow().pid();
            Watchdog.start(ProcessId.of(owner.toHandle()), directory);
            long watchdog = watchdogOf(owner.pid());
            Files.delete(cluster().resolve("postmaster.pid"));
            owner.destroyForcibly().waitFor();

            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> ProcessHandle.of(watchdog).isEmpty());
            assertThat(ProcessHandle.of(postmaster)).isEmpty();
            assertThat(directory).doesNotExist();
        } finally {
            owner.destroyForcibly();
        }
    }

    private Path cluster() throws IOException {
        return directory.toRealPath().resolve("database/data");
    }

    private Command pgCtlStart() throws IOException {
        Path database = directory.toRealPath().resolve("database");
        return Command.of(
                Identity.of(cluster()),
                Scratch.programs().resolve("bin/pg_ctl").toString(),
                "start",
                "--wait",
                "--pgdata=" + cluster(),
                "--log=" + database.resolve("postgresql.log"),
                "--options=" + new Settings(Map.of()).options(Scratch.freePort()));
    }

    private void stopServer() throws IOException {
        Postmaster.running(cluster())
                .flatMap(found -> ProcessHandle.of(found.pid()))
                .ifPresent(ProcessHandle::destroy);
    }

    private void awaitProcessesOfDirectory(int count) {
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(processesOfDirectory()).hasSize(count));
    }

    private List<String> processesOfDirectory() {
        return ProcessHandle.allProcesses()
                .map(process -> process.info().commandLine().orElse(""))
                .filter(line -> line.contains(directory + "/"))
                .toList();
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
