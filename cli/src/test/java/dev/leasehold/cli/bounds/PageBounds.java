package dev.leasehold.cli.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.leasehold.cli.CommandProcess;
import dev.leasehold.cli.bounds.BoundsWalkTest.Case;
import dev.leasehold.cli.bounds.RawConnection.Answer;
import dev.leasehold.testkit.TestWaits;
import dev.leasehold.testkit.process.ServerProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Bounds on answers: how long a page or a batch is, and how many are made at once. */
final class PageBounds {
    private static final String ITEM = "{\"utf8\":\"" + "x".repeat(400) + "\"}";
    private static final String LATER = ITEM.replace("}", ",\"enqueue_after\":\"10m\"}");
    private static final String OF_Q = "{\"queue_name\":\"q\",";
    private static final int LARGE = 4_500_000;
    private static final int CROWD = 6;

    static final Map<String, Case> CASES = Map.of(
            "payloads and texts of one page of items (`storage/items.list`, `storage/scheduled.list`) or one leased batch",
            PageBounds::bytes,
            "items of one page",
            PageBounds::items,
            "page of queues (`queues.list`)",
            PageBounds::queues,
            "page of locks (`lock.list`)",
            PageBounds::locks,
            "answers with items that are being encoded at once",
            PageBounds::encoded);

    private PageBounds() {}

    private static void bytes(Row row) throws IOException {
        try (BoundServer server = new BoundServer(row.key(), "1000")) {
            server.createQueue("q");
            server.produce("q", String.join(",", Collections.nCopies(5, ITEM)));
            server.produce("q", String.join(",", Collections.nCopies(5, LATER)));
            assertThat(pages(server, "/v1/storage/items.list", OF_Q, "id", 5)).hasSizeGreaterThan(1);
            assertThat(pages(server, "/v1/storage/scheduled.list", OF_Q, "id", 5))
                    .hasSizeGreaterThan(1);
            int leased = 0;
            for (int batch = 0; leased < 5; batch++) {
                assertThat(batch).isLessThan(5);
                JsonNode answer = server.ok("/v1/queue.lease", BoundServer.lease("q", 5));
                assertThat(answer.path("items").size()).isBetween(1, 4);
                leased += answer.path("items").size();
            }
            server.produce("q", "{\"utf8\":\"" + "x".repeat(5_000) + "\"}");
            assertThat(server.ok("/v1/queue.lease", BoundServer.lease("q", 5)).path("items"))
                    .hasSize(1);
        }
    }

    /** Reads page by page, each from the last of the one before, until there is nothing beside it; the sizes of the pages. */
    private static List<Integer> pages(BoundServer server, String path, String of, String field, int all)
            throws IOException {
        Set<String> seen = new LinkedHashSet<>();
        List<Integer> sizes = new ArrayList<>();
        String pivot = "";
        while (true) {
            String wish = "\"limit\":65536,\"pivot\":\"" + pivot + "\"}";
            List<String> page = BoundServer.each(server.ok(path, of + wish), field);
            if (!seen.addAll(page)) {
                break;
            }
            sizes.add(page.size());
            pivot = page.get(page.size() - 1);
        }
        assertThat(seen).hasSize(all);
        return sizes;
    }

    private static void items(Row row) throws IOException {
        try (BoundServer server = new BoundServer()) {
            server.createQueue("q");
            for (int i = 0; i < row.bound(); i += 1_000) {
                server.produce("q", String.join(",", Collections.nCopies(1_000, "{\"utf8\":\"x\"}")));
            }
            server.produce("q", "{\"utf8\":\"one beyond\"}");
            assertThat(pages(server, "/v1/storage/items.list", OF_Q, "id", row.bound() + 1)
                            .get(0))
                    .isEqualTo(row.bound());
        }
    }

    private static void queues(Row row) throws IOException {
        assertThat(row.fallback()).isEqualTo("65,536 queues and 16 MB");
        try (BoundServer server = new BoundServer();
                RawConnection connection = server.connect()) {
            BatchBounds.refused(row, server, "/v1/queues.list", "{\"limit\":65537}");
            int count = 9_000;
            for (int i = 0; i < count; i++) {
                String queue = "{\"queue_name\":\"queue-" + i + "\",\"reference\":\"" + "x".repeat(2_000)
                        + "\",\"lease_timeout\":\"1m\",\"expire_timeout\":\"1h\",\"requested_partitions\":1}";
                assertThat(connection
                                .send(RawConnection.post("/v1/queues.create", queue))
                                .answer()
                                .status())
                        .isEqualTo(200);
            }
            assertThat(pages(server, "/v1/queues.list", "{", "queue_name", count))
                    .hasSizeGreaterThan(1);
        }
    }

    private static void locks(Row row) throws IOException {
        try (BoundServer server = new BoundServer()) {
            BatchBounds.refused(row, server, "/v1/lock.list", "{\"limit\":" + (row.bound() + 1) + "}");
            server.ok("/v1/lock.list", "{\"limit\":" + row.bound() + "}");
        }
    }

    /** A server with a heap so small that two answers are too many; a crowd asks until two have met. */
    private static void encoded(Row row) throws Exception {
        try (ServerProcess server = ServerProcess.start(
                        CommandProcess.of("server", "--store=memory", "--address=127.0.0.1:0")
                                .options("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                                .environment(Map.of("LEASEHOLD_LIMITS_BODY_BYTES", "64000000")))
                .ready()) {
            TestWaits.await().until(() -> hasMet(server, row));
        }
    }

    private static boolean hasMet(ServerProcess server, Row row) throws Exception {
        String name = "q" + System.nanoTime();
        succeeded(
                server,
                "/v1/queues.create",
                "{\"queue_name\":\"" + name
                        + "\",\"lease_timeout\":\"10m\",\"expire_timeout\":\"1h\",\"requested_partitions\":1}");
        for (int i = 0; i < CROWD; i++) {
            succeeded(
                    server,
                    "/v1/queue.produce",
                    "{\"queue_name\":\"" + name + "\",\"request_timeout\":\"1m\",\"items\":[{\"utf8\":\""
                            + "x".repeat(LARGE) + "\"}]}");
        }
        List<Answer> answers = leasedAtOnce(server.uri().getPort(), name);
        List<Answer> refusals =
                answers.stream().filter(answer -> answer.status() != 200).toList();
        refusals.forEach(row::promises);
        int delivered = CROWD - refusals.size();
        TestWaits.await()
                .until(() -> server.send("/v1/queue.stats", "{\"queue_name\":\"" + name + "\"}")
                        .contains("\"total_leased\":" + delivered));
        if (!refusals.isEmpty()) {
            succeeded(server, "/v1/queue.lease", BoundServer.lease(name, 1));
        }
        succeeded(server, "/v1/queues.delete", "{\"queue_name\":\"" + name + "\",\"force\":true}");
        return !refusals.isEmpty();
    }

    private static List<Answer> leasedAtOnce(int port, String queue) throws IOException {
        List<RawConnection> crowd = new ArrayList<>();
        List<Answer> answers = new ArrayList<>();
        try {
            for (int i = 0; i < CROWD; i++) {
                crowd.add(RawConnection.to(port));
            }
            for (RawConnection one : crowd) {
                one.send(RawConnection.post("/v1/queue.lease", BoundServer.lease(queue, 1)));
            }
            for (RawConnection one : crowd) {
                answers.add(one.answer());
            }
        } finally {
            for (RawConnection one : crowd) {
                one.close();
            }
        }
        return answers;
    }

    private static void succeeded(ServerProcess server, String path, String body) throws Exception {
        assertThat(server.send(path, body)).startsWith("200 ");
    }
}
