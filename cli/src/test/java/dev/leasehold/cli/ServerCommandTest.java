package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.OwnPostgres;
import dev.leasehold.testkit.TestWaits;
import dev.leasehold.testkit.process.ServerProcess;
import dev.leasehold.testkit.process.Signals;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class ServerCommandTest {
    private static final String FREE = "--address=127.0.0.1:0";

    @TempDir
    Path temporary;

    private ServerProcess embedded() {
        return CommandProcess.server(Map.of(), "server", FREE, "--data-dir=" + temporary.resolve("data"));
    }

    @Test
    void what_was_acknowledged_before_a_kill_is_there_after_the_next_start() throws Exception {
        OwnPostgres.dataDirectory(temporary.resolve("data"));
        String fence;
        try (ServerProcess first = embedded().ready()) {
            assertThat(first.output())
                    .contains("Data: " + temporary.resolve("data").toRealPath())
                    .contains(first.uri() + "/health");
            fence = acquired(first, "kept");
            first.jvm().kill();
        }
        try (ServerProcess second = embedded().ready()) {
            assertThat(second.send("/v1/lock.lookup", "{\"key\": \"kept\"}"))
                    .startsWith("200 ")
                    .contains(fence);
            assertThat(second.terminate()).as(second.output()).isZero();
        }
        assertThat(temporary.resolve("data/database/data/postmaster.pid")).doesNotExist();
    }

    @Test
    void a_kill_leaves_no_database_running() throws Exception {
        OwnPostgres.dataDirectory(temporary.resolve("data"));
        Path pidFile = temporary.resolve("data/database/data/postmaster.pid");
        try (ServerProcess server = embedded().ready()) {
            long postmaster = postmaster(pidFile.resolveSibling("."));
            assertThat(ProcessHandle.of(postmaster)).isPresent();
            server.jvm().kill();

            TestWaits.await().until(() -> ProcessHandle.of(postmaster).isEmpty());
            assertThat(pidFile).as("what a stop in order removes").doesNotExist();
        }
    }

    @Test
    void a_database_that_dies_is_restarted_and_ends_with_the_server_all_the_same() throws Exception {
        OwnPostgres.dataDirectory(temporary.resolve("data"));
        Path cluster = temporary.resolve("data/database/data");
        try (ServerProcess server = embedded().ready()) {
            String fence = acquired(server, "kept");
            Path version = cluster.resolve("PG_VERSION");
            Files.move(version, cluster.resolve("aside")); // as on a full disk, it does not start
            Signals.kill(postmaster(cluster));
            TestWaits.await()
                    .until(() ->
                            server.send("/health", "").matches("(?s)503 .*the embedded database is being restarted.*"));
            TestWaits.await().until(() -> server.output().contains("event=embedded_database_restart_failed attempt=3"));
            Files.move(cluster.resolve("aside"), version);

            TestWaits.await()
                    .until(() -> server.send("/v1/lock.lookup", "{\"key\": \"kept\"}")
                            .contains(fence));
            TestWaits.await().until(() -> server.send("/health", "").startsWith("200 "));
            assertThat(server.output()).contains("event=embedded_database_restarted");

            long postmaster = postmaster(cluster);
            server.jvm().kill();
            TestWaits.await().until(() -> ProcessHandle.of(postmaster).isEmpty());
            assertThat(cluster.resolve("postmaster.pid")).doesNotExist();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_server_that_ends_while_its_database_is_being_restarted_leaves_none_running(boolean isKilled)
            throws Exception {
        OwnPostgres.dataDirectory(temporary.resolve("data"));
        Path cluster = temporary.resolve("data/database/data");
        try (ServerProcess server = embedded().ready()) {
            String watchdog = "leasehold-watchdog " + server.jvm().pid() + " ";
            assertThat(isRunning(watchdog)).isTrue();
            Signals.kill(postmaster(cluster));
            TestWaits.await().until(() -> server.output().contains("event=embedded_database_died"));
            if (isKilled) {
                server.jvm().kill();
            } else {
                assertThat(server.terminate()).as(server.output()).isZero();
            }
            TestWaits.await().atMost(Duration.ofMinutes(2)).until(() -> !isRunning(watchdog));
            assertThat(isRunning(cluster.toRealPath().toString())).isFalse();
        }
    }

    private static boolean isRunning(String words) {
        return ProcessHandle.allProcesses()
                .anyMatch(process -> process.info().commandLine().orElse("").contains(words));
    }

    private static long postmaster(Path cluster) throws IOException {
        return Long.parseLong(
                Files.readAllLines(cluster.resolve("postmaster.pid")).get(0));
    }

    @Test
    void sigterm_answers_who_waits_and_ends_with_status_0() throws Exception {
        try (ServerProcess server = CommandProcess.server(Map.of(), "server", FREE, "--store=memory")
                .ready()) {
            acquired(server, "busy");
            CompletableFuture<String> waiting = CompletableFuture.supplyAsync(() -> {
                try {
                    return server.send("/v1/lock.acquire", "{\"key\": \"busy\", \"ttl\": \"30s\", \"wait\": \"5m\"}");
                } catch (IOException | InterruptedException e) {
                    return e.toString();
                }
            });
            assertThat(server.send("/v1/lock.is_locked", "{\"key\": \"busy\"}")).contains("\"locked\":true");
            assertThat(server.terminate()).as(server.output()).isZero();
            assertThat(TestWaits.get(waiting)).matches("(200 .*\"acquired\":false.*|503 .*|.*Connect.*)");
        }
    }

    private static String acquired(ServerProcess server, String key) throws Exception {
        String answer = server.send("/v1/lock.acquire", "{\"key\": \"" + key + "\", \"ttl\": \"10m\"}");
        assertThat(answer).startsWith("200 ").contains("\"acquired\":true");
        return answer.replaceFirst("(?s).*(\"fence\":\"\\d+\").*", "$1");
    }

    @Test
    void a_port_in_use_is_said_and_nothing_is_left_running() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerProcess server = CommandProcess.server(
                        Map.of(), "server", "--store=memory", "--address=127.0.0.1:" + taken.getLocalPort())) {
            assertThat(server.end()).isEqualTo(1);
            assertThat(server.output())
                    .contains("leasehold: the address 127.0.0.1:" + taken.getLocalPort()
                            + " is in use; stop who uses it, or choose another with --address");
        }
    }

    @Test
    void a_database_that_does_not_answer_is_said_without_its_password() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        String url = "postgres://ann:hunter2@127.0.0.1:" + port + "/app";
        try (ServerProcess server = CommandProcess.server(Map.of(), "server", FREE, "--postgres-url=" + url)) {
            assertThat(server.end()).isEqualTo(1);
            assertThat(server.output())
                    .contains("leasehold: could not open the database postgres://ann:***@127.0.0.1:" + port + "/app: ")
                    .doesNotContain("hunter2");
        }
    }

    @Test
    void queues_of_the_file_are_there_and_logs_are_json() throws Exception {
        Path file = Files.writeString(temporary.resolve("l.yaml"), """
                store: memory
                address: 127.0.0.1:0
                logging.handler: json
                queues:
                - name: orders
                  dead-queue: orders-dead
                - name: orders-dead
                """);
        try (ServerProcess server = CommandProcess.server(Map.of("QUERATOR_CONFIG", file.toString()), "server")
                .ready()) {
            assertThat(server.output())
                    .contains("\"level\":\"info\"")
                    .contains("\"message\":\"created queue=orders\"")
                    .contains("\"message\":\"created queue=orders-dead\"");
        }
    }

    @Test
    void a_wrong_setting_ends_it_with_status_1() throws Exception {
        try (ServerProcess server = CommandProcess.server(Map.of("LEASEHOLD_ADRESS", "a:1"), "server")) {
            assertThat(server.end()).isEqualTo(1);
            assertThat(server.output()).startsWith("leasehold: there is no setting for the environment variable");
        }
    }
}
