package dev.leasehold.cli.attack;

import dev.leasehold.testkit.TestWaits;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that together are larger than the heap. */
@Tag("long")
@Tag("slow")
@Timeout(4 * TestWaits.TEST_LIMIT)
class BodyAttackTest {
    private static final int CONNECTIONS = 5_000;
    private static final int BODY = 65_536;

    @TempDir
    static Path directory;

    private static Victim victim;

    @BeforeAll
    static void start() throws Exception {
        victim = Victim.start(directory);
    }

    @AfterAll
    static void stop() {
        victim.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /health", "GET /metrics", "GET /nowhere", "POST /"})
    void bodies_on_open_routes(String line) {
        attack(line, "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST /v1/lock.acquire", "POST /v1/queue.produce", "POST /v1/storage/items.import"})
    void unfinished_bodies_without_a_credential(String line) {
        attack(line, "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST /v1/lock.acquire", "POST /v1/queue.produce", "POST /v1/storage/items.import"})
    void unfinished_bodies_with_a_credential(String line) {
        attack(line, "Authorization: Bearer " + Victim.KEY + "\r\n");
    }

    private static void attack(String line, String header) {
        String head = line + " HTTP/1.1\r\nHost: localhost\r\n" + header + "Content-Length: " + BODY + "\r\n\r\n";
        victim.withstands(Crowd.of(CONNECTIONS, victim.port(), Crowd.bytes(head, BODY - 1)));
    }
}
