package dev.leasehold.cli.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.bounds.BoundsWalkTest.Case;
import dev.leasehold.cli.bounds.RawConnection.Answer;
import java.io.IOException;
import java.util.Collections;
import java.util.Map;

/** Bounds on how much one call may name: items, ids, partitions, a time to wait. */
final class BatchBounds {
    static final Map<String, Case> CASES = Map.of(
            "items of a produce, lease, complete, retry, extend or give back", BatchBounds::items,
            "items of an import, ids of a delete", BatchBounds::stored,
            "partitions of a queue, 32,000 at most", BatchBounds::partitions,
            "wait for a lock, or for items", BatchBounds::waits);

    private BatchBounds() {}

    private static String many(int count, String text) {
        return String.join(",", Collections.nCopies(count, text));
    }

    /** The beginning of a request that names the queue {@code q}. */
    private static String of(String field, String values) {
        return "{\"queue_name\":\"q\",\"" + field + "\":[" + values + "]";
    }

    private static void items(Row row) throws IOException {
        try (BoundServer server = new BoundServer()) {
            server.createQueue("q");
            int count = row.bound() + 1;
            String id = newId(server);
            String ids = of("ids", many(count, "\"" + id + "\""));
            refused(
                    row,
                    server,
                    "/v1/queue.produce",
                    of("items", many(count, "{\"utf8\":\"a\"}")) + ",\"request_timeout\":\"1m\"}");
            refused(row, server, "/v1/queue.lease", BoundServer.lease("q", count));
            refused(row, server, "/v1/queue.complete", ids + ",\"request_timeout\":\"1m\"}");
            refused(row, server, "/v1/queue.retry", of("items", many(count, "{\"id\":\"" + id + "\"}")) + "}");
            refused(row, server, "/v1/queue.extend", ids + "}");
            refused(row, server, "/v1/queue.give_back", ids + "}");
            server.produce("q", many(row.bound(), "{\"utf8\":\"a\"}"));
        }
    }

    private static String newId(BoundServer server) throws IOException {
        server.produce("q", "{\"utf8\":\"a\"}");
        return BoundServer.each(server.ok("/v1/queue.lease", BoundServer.lease("q", 1)), "id")
                .get(0);
    }

    /** As many ids as are allowed fit into a body. */
    private static void stored(Row row) throws IOException {
        try (BoundServer server = new BoundServer()) {
            server.createQueue("q");
            String id = "\"" + newId(server) + "\"";
            int count = row.bound() + 1;
            refused(row, server, "/v1/storage/items.import", of("items", many(count, "{}")) + "}");
            refused(row, server, "/v1/storage/items.delete", of("ids", many(count, id)) + "}");
            server.ok("/v1/storage/items.delete", of("ids", many(row.bound(), id)) + "}");
        }
    }

    private static void partitions(Row row) throws IOException {
        String queue =
                "{\"queue_name\":\"q\",\"lease_timeout\":\"1m\",\"expire_timeout\":\"1h\",\"requested_partitions\":";
        try (BoundServer server = new BoundServer();
                BoundServer small = new BoundServer(row.key(), "3")) {
            refused(row, server, "/v1/queues.create", queue + (row.bound() + 1) + "}");
            assertThat(small.post("/v1/queues.create", queue + "4}").body()).contains("cannot be greater than 3");
            small.ok("/v1/queues.create", queue + "3}");
        }
    }

    private static void waits(Row row) throws IOException {
        assertThat(row.fallback()).isEqualTo("15m");
        try (BoundServer server = new BoundServer()) {
            server.createQueue("q");
            refused(row, server, "/v1/lock.acquire", "{\"key\":\"a\",\"wait\":\"15m1ms\"}");
            refused(row, server, "/v1/queue.lease", BoundServer.lease("q", 1).replace("10s", "15m1ms"));
            server.ok("/v1/lock.acquire", "{\"key\":\"a\",\"wait\":\"15m\"}");
        }
    }

    static void refused(Row row, BoundServer server, String path, String body) throws IOException {
        Answer answer = server.post(path, body);
        row.promises(answer);
        server.serves();
    }
}
