package dev.leasehold.cli.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.bounds.BoundsWalkTest.Case;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Bounds on connections: how many, how large a head, how many requests, and how long each step may take. */
final class ConnectionBounds {
    private static final String CALL = RawConnection.post("/v1/lock.is_locked", "{\"key\": \"alive\"}");

    static final Map<String, Case> CASES = Map.of(
            "open connections, from when they are accepted, before TLS", ConnectionBounds::connections,
            "head of a request", ConnectionBounds::head,
            "TLS handshake, and then a request, head and body, to arrive", ConnectionBounds::arrival,
            "requests of one connection that are not answered", ConnectionBounds::pipeline,
            "silence between requests", ConnectionBounds::silence);

    private ConnectionBounds() {}

    private static void connections(Row row) throws IOException {
        try (BoundServer server = new BoundServer(row.key(), "2");
                RawConnection first = server.connect();
                RawConnection second = server.connect()) {
            assertThat(first.send(CALL).answer().status()).isEqualTo(200);
            assertThat(second.send(CALL).answer().status()).isEqualTo(200);
            try (RawConnection beyond = server.connect()) {
                assertThat(beyond.bytesUntilClosed()).isZero();
            }
            assertThat(first.send(CALL).answer().status()).isEqualTo(200);
        }
    }

    /** The line of a request, its headers, and both together. */
    private static void head(Row row) throws IOException {
        int bound = row.bound();
        try (BoundServer server = new BoundServer()) {
            List<String> heads = List.of(
                    head("x".repeat(4_096), ""),
                    head("", "x".repeat(bound)),
                    head("x".repeat(1_000), "x".repeat(bound - 1_000)));
            for (String head : heads) {
                try (RawConnection connection = server.connect()) {
                    row.promises(connection.send(head).answer());
                    assertThat(connection.isClosedByServer()).isTrue();
                }
                server.serves();
            }
            assertThat(server.ask(head("", "x".repeat(bound - 100))).status()).isEqualTo(200);
        }
    }

    private static String head(String query, String header) {
        return "GET /health?" + query + " HTTP/1.1\r\nHost: localhost\r\nX: " + header + "\r\n\r\n";
    }

    private static void arrival(Row row) throws Exception {
        try (BoundServer server = new BoundServer(row.key(), "1s")) {
            for (String part : List.of("", "GET /health HTTP/1.1\r\n", CALL.substring(0, CALL.length() - 1))) {
                closedAfter(server, part);
            }
        }
        Path directory = Files.createTempDirectory("leasehold-bounds");
        SelfSigned pem = SelfSigned.in(directory);
        try (BoundServer server = new BoundServer(
                row.key(),
                "1s",
                "tls.certificate",
                pem.certificate().toString(),
                "tls.key",
                pem.key().toString())) {
            try (RawConnection silent = server.connect()) {
                assertThat(silent.bytesUntilClosed()).isZero();
            }
            assertThat(pem.get(server.port(), "/health")).isEqualTo(200);
        } finally {
            pem.delete();
        }
    }

    private static void closedAfter(BoundServer server, String part) throws IOException {
        try (RawConnection slow = server.connect()) {
            assertThat(slow.send(part).bytesUntilClosed()).as(part).isZero();
        }
        server.serves();
    }

    /** The first request waits for a lock, and the others wait for its answer. */
    private static void pipeline(Row row) throws IOException {
        try (BoundServer server = new BoundServer();
                RawConnection allowed = server.connect();
                RawConnection beyond = server.connect()) {
            String lockId = server.ok("/v1/lock.acquire", "{\"key\":\"held\",\"ttl\":\"10m\"}")
                    .findPath("lock_id")
                    .asText();
            String waiting = RawConnection.post("/v1/lock.acquire", "{\"key\":\"held\",\"wait\":\"10m\"}");
            allowed.send(waiting + CALL.repeat(row.bound() - 1));
            assertThat(beyond.send(waiting + CALL.repeat(row.bound())).bytesUntilClosed())
                    .isZero();
            server.serves();
            server.ok("/v1/lock.release", "{\"lock_id\":\"" + lockId + "\"}");
            for (int i = 0; i < row.bound(); i++) {
                assertThat(allowed.answer().status()).isEqualTo(200);
            }
        }
    }

    private static void silence(Row row) throws IOException {
        try (BoundServer server = new BoundServer(row.key(), "1s");
                RawConnection idle = server.connect()) {
            assertThat(idle.send(CALL).answer().status()).isEqualTo(200);
            assertThat(idle.bytesUntilClosed()).isZero();
            server.serves();
        }
    }
}
