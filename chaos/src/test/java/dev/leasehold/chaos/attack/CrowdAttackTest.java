package dev.leasehold.chaos.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.leasehold.testkit.TestWaits;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Thousands of connections: their bodies together are larger than the heap, or they never finish what they began. */
@Tag("long")
@Tag("slow")
@Timeout(4 * TestWaits.TEST_LIMIT)
@ResourceLock("most of the machine") // one class at a time that loads the machine with processes and connections
class CrowdAttackTest {
    private static final int CONNECTIONS = 4_500;
    private static final int BYTES = 20;

    @TempDir
    static Path directory;

    private static Victim victim;

    @BeforeAll
    static void start() {
        assumeThat(Crowd.possible())
                .as("open files that are possible; raise it with ulimit -n")
                .isGreaterThan(CONNECTIONS);
        victim = Victim.start(directory);
        new HostileClient(victim.uri()).create(HostileClient.IDLE_QUEUE, ", \"requested_partitions\": 1");
    }

    @AfterAll
    static void stop() {
        if (victim != null) {
            victim.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_normal_client_is_served_beside(CrowdAttack attack) {
        try (Crowd crowd = attack.open(CONNECTIONS, victim.port())) {
            for (int i = 0; i < (attack.isSlow() ? BYTES : 1); i++) {
                attack.drip(crowd);
                victim.client().turn();
            }
        }
        assertThat(victim.awaitRecovery()).isEmpty();
    }
}
