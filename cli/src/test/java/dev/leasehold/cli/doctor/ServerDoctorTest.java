package dev.leasehold.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.Places;
import dev.leasehold.cli.Typed;
import dev.leasehold.cli.command.ExitStatus;
import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.ServerOptions;
import dev.leasehold.testkit.process.Ports;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class ServerDoctorTest {
    @Test
    void a_healthy_server_passes() {
        try (LeaseholdServer server = Places.server()) {
            Typed answer = Typed.command("doctor", "--url", Places.url(server));
            assertThat(answer.status()).as(answer.out()).isZero();
            assertThat(answer.out())
                    .containsPattern("ok +health +pass")
                    .containsPattern("ok +version")
                    .containsPattern("ok +locks +acquired and released in");
        }
    }

    @Test
    void health_is_asked_at_the_management_port() {
        int management = Ports.free();
        try (LeaseholdServer server = LeaseholdServer.start(
                ServerOptions.DEFAULT.address("127.0.0.1", 0).management(management),
                MemoryLocks.create(),
                MemoryQueues.create())) {
            Typed told = Typed.command(
                    "doctor", "--url", Places.url(server), "--management-port", Integer.toString(management));
            assertThat(told.status()).as(told.out()).isZero();
            assertThat(told.out()).containsPattern("ok +health +pass").containsPattern("ok +locks +acquired");

            Typed untold = Typed.command("doctor", "--url", Places.url(server));
            assertThat(untold.status()).as(untold.out()).isZero();
            assertThat(untold.out())
                    .containsPattern("warn +health +not at this port")
                    .contains("--management-port")
                    .containsPattern("ok +locks +acquired");
        }
    }

    @Test
    void a_failed_check_says_why() {
        Verdict health = health(
                503,
                "{\"status\":\"fail\",\"checks\":{\"locks:storage\":[{\"output\":\"it restarts\"}],"
                        + "\"queues:storage\":[{\"output\":\"it restarts\"}]}}");
        assertThat(health.found()).isEqualTo("status 503, fail it restarts");
    }

    @Test
    void a_server_that_is_away_fails_and_says_how_to_start_one() {
        Typed answer = Typed.command("doctor", "--url", "http://127.0.0.1:1");
        assertThat(answer.status()).isEqualTo(ExitStatus.FAILURE);
        assertThat(answer.out()).containsPattern("fail +health").contains("leasehold server");
    }

    @Test
    void a_sick_server_fails() {
        Verdict health = health(503, "{\"status\":\"fail\",\"output\":\"storage check failed\"}");
        assertThat(health.level()).isEqualTo(Verdict.Level.FAIL);
        assertThat(health.found()).contains("storage check failed");
    }

    @Test
    void another_sort_of_server_fails() {
        assertThat(health(200, "<html>").level()).isEqualTo(Verdict.Level.FAIL);
    }

    private static Verdict health(int status, String body) {
        return Objects.requireNonNull(ServerChecks.read(status, body).get("health"));
    }
}
