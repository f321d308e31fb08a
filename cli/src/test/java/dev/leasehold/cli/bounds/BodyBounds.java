package dev.leasehold.cli.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.bounds.BoundsWalkTest.Case;
import dev.leasehold.cli.bounds.RawConnection.Answer;
import dev.leasehold.testkit.TestWaits;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Bounds on the bodies of requests, of one and of all together. */
final class BodyBounds {
    private static final int BUDGET = 1 << 20;
    private static final int MOST_SENT = 600_000;

    private static final String[] OTHERS = {
        "/v1/queue.complete",
        "/v1/queue.retry",
        "/v1/queue.extend",
        "/v1/queue.give_back",
        "/v1/queues.create",
        "/v1/queues.list",
        "/v1/queues.delete",
        "/v1/queues.info",
        "/v1/storage/items.list",
        "/v1/storage/scheduled.list"
    };

    static final Map<String, Case> CASES = Map.of(
            "bodies of all requests and answers in flight, together",
            BodyBounds::budget,
            "body where no credential is needed",
            BodyBounds::openPath,
            "body of a produce",
            row -> body(row, row.bound(), "/v1/queue.produce"),
            "body of a lock call",
            row -> body(
                    row, 65_536, "/v1/lock.acquire", "/v1/lock.release", "/v1/lock.list", "/v1/space/lock/a/acquire"),
            "body of a lease, of stats, clear and reload",
            row -> body(row, 512, "/v1/queue.lease", "/v1/queue.stats", "/v1/queue.clear", "/v1/queue.reload"),
            "body of other queue calls",
            row -> body(row, 256_000, OTHERS),
            "body of an update of a queue, of a delete of items",
            row -> body(row, 512_000, "/v1/queues.update", "/v1/storage/items.delete"),
            "body of an import",
            row -> body(row, 64_000_000, "/v1/storage/items.import"));

    private BodyBounds() {}

    private static void body(Row row, int bound, String... paths) throws IOException {
        try (BoundServer server = new BoundServer("limits.body-bytes", "200000000")) {
            for (String path : paths) {
                row.promises(server.ask(request(path, bound + 1)));
                if (bound < MOST_SENT) {
                    assertThat(server.ask(request(path, bound)).body()).doesNotContain("request body exceeds");
                }
                server.serves();
            }
        }
    }

    /** A large body is refused when it is announced. */
    private static String request(String path, int length) {
        return length > MOST_SENT
                ? RawConnection.postHead(path, length)
                : RawConnection.post(path, "{}" + " ".repeat(length - 2));
    }

    private static void openPath(Row row) throws IOException {
        try (BoundServer server = new BoundServer()) {
            for (String path : List.of("/health", "/nothing")) {
                try (RawConnection connection = server.connect()) {
                    connection.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx");
                    row.promises(connection.answer());
                    assertThat(connection.isClosedByServer()).isTrue();
                }
                server.serves();
            }
        }
    }

    /** Transfers of more than a second make room for others, so on a busy machine it takes several tries to be in the way. */
    private static void budget(Row row) {
        try (BoundServer server = new BoundServer(row.key(), Integer.toString(BUDGET))) {
            TestWaits.await()
                    .until(() -> isRefused(
                            server, "/v1/lock.is_locked", row.statuses().get(0)));
            TestWaits.await()
                    .until(() -> isRefused(
                            server, "/v1/queue.complete", row.statuses().get(1)));
        }
    }

    private static boolean isRefused(BoundServer server, String path, int status) throws IOException {
        boolean isRefused;
        try (RawConnection holder = server.connect();
                RawConnection next = server.connect()) {
            int held = BUDGET - 30_000;
            holder.send(RawConnection.postHead("/v1/queue.produce", held) + " ".repeat(held - 1));
            TestWaits.await().until(() -> server.metric("leasehold_body_bytes") >= held - 1);
            Answer answer = next.send(RawConnection.post(path, "{\"key\":\"a\"}" + " ".repeat(60_000)))
                    .answer();
            isRefused = answer.status() == status;
            assertThat(!isRefused || answer.head().contains("Retry-After: ")).isTrue();
            assertThat(!isRefused || next.isClosedByServer()).isTrue();
        }
        server.serves();
        return isRefused;
    }
}
