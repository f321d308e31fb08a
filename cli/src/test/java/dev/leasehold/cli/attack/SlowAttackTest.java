package dev.leasehold.cli.attack;

import dev.leasehold.testkit.TestWaits;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections that never finish what they began. */
@Tag("long")
@Tag("slow")
@Timeout(4 * TestWaits.TEST_LIMIT)
class SlowAttackTest {
    private static final int CONNECTIONS = 4_000;
    private static final int BYTES = 20;

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

    @Test
    void connections_that_say_nothing() {
        victim.withstands(Crowd.of(CONNECTIONS, victim.port(), new byte[0]));
    }

    @Test
    void heads_that_come_byte_by_byte() {
        byte[] head = "POST /v1/lock.acquire HTTP/1.1\r\nX-Slow: ".getBytes(StandardCharsets.ISO_8859_1);
        try (Crowd crowd = Crowd.of(CONNECTIONS, victim.port(), head)) {
            for (int i = 0; i < BYTES; i++) {
                crowd.sendAll(new byte[] {'x'});
                victim.awaitNormalCalls();
            }
        }
        victim.assertRecovered();
    }

    @Test
    void bodies_that_come_byte_by_byte() {
        byte[] head = ("POST /v1/queue.produce HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + Victim.KEY
                        + "\r\nContent-Length: 5000000\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
        try (Crowd crowd = Crowd.of(CONNECTIONS, victim.port(), head)) {
            for (int i = 0; i < BYTES; i++) {
                crowd.sendAll(new byte[] {' '});
                victim.awaitNormalCalls();
            }
        }
        victim.assertRecovered();
    }

    @Test
    void connections_that_are_half_closed() {
        byte[] head = "POST /v1/lock.acquire HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{"
                .getBytes(StandardCharsets.ISO_8859_1);
        try (Crowd crowd = Crowd.of(CONNECTIONS, victim.port(), head)) {
            crowd.shutdownOutputs();
            victim.awaitNormalCalls();
        }
        victim.assertRecovered();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/metrics", "/openapi.yaml"})
    void answers_that_nobody_reads(String page) {
        victim.withstands(Crowd.of(CONNECTIONS, victim.port(), gets(page, 2)));
    }

    /** A few bytes on the wire are a request with all its headers in memory. */
    @Test
    void requests_that_do_not_wait_for_answers() {
        victim.withstands(Crowd.of(CONNECTIONS, victim.port(), gets("/health", 500)));
    }

    private static byte[] gets(String page, int times) {
        return ("GET " + page + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                .repeat(times)
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void heads_as_large_as_they_may_be() {
        byte[] head = ("GET /health HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(16_000))
                .getBytes(StandardCharsets.ISO_8859_1);
        victim.withstands(Crowd.of(CONNECTIONS, victim.port(), head));
    }
}
