package dev.leasehold.chaos.attack;

import dev.leasehold.chaos.attack.HostileClient.Shot;
import dev.leasehold.wire.QueueCompleteRequest;
import dev.leasehold.wire.QueueInfo;
import dev.leasehold.wire.QueueLeaseRequest;
import dev.leasehold.wire.QueueProduceItem;
import dev.leasehold.wire.QueueProduceRequest;
import dev.leasehold.wire.QueueRetryItem;
import dev.leasehold.wire.QueueRetryRequest;
import dev.leasehold.wire.StorageItem;
import dev.leasehold.wire.StorageItemsImportRequest;
import dev.leasehold.wire.StorageItemsListRequest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Requests in JSON and protobuf that were right until something in them was changed at random. */
final class Fuzz {
    private static final String NAME = "hostile-fuzz";
    private static final String PROTOBUF = "application/protobuf";
    private static final int DEEP = 20_000;

    /** Two thirds go to the queue of the attackers, the others to that of the normal client, which they may not touch. */
    private static final List<String> QUEUES = List.of(NAME, NAME, NormalClient.QUEUE);

    private static final List<String> VALUES = List.of(
            "-1",
            "2147483648",
            "1e999",
            "null",
            "true",
            "{}",
            "[]",
            "\"\\ud800\"",
            "\"\\u0000\"",
            "\"15m\"",
            "\"-5s\"",
            "\"9999h\"");

    private final Random random;

    Fuzz(long seed) {
        this.random = new Random(seed);
    }

    /** The next request. */
    Shot next() {
        String queue = QUEUES.get(random.nextInt(QUEUES.size()));
        List<Shot> valid = random.nextInt(3) == 0 ? protobuf(queue) : json(queue);
        Shot shot = valid.get(random.nextInt(valid.size()));
        byte[] body = shot.body();
        for (int times = random.nextInt(4); times > 0; times--) {
            body = changed(body);
        }
        return new Shot(shot.path(), random.nextInt(20) == 0 ? "text/plain" : shot.type(), body);
    }

    private static List<Shot> json(String queue) {
        String name = "\"queue_name\": \"" + queue + "\"";
        return List.of(
                Shot.json("/v1/lock.acquire", "{\"key\": \"hostile:fuzz\", \"ttl\": \"1s\", \"wait\": \"5ms\"}"),
                Shot.json("/v1/lock.release", "{\"lock_id\": \"AAAAAAAAAAAAAAAAAAAAAA\"}"),
                Shot.json("/v1/lock.extend", "{\"lock_id\": \"AAAAAAAAAAAAAAAAAAAAAA\", \"ttl\": \"1s\"}"),
                Shot.json("/v1/lock.list", "{\"prefix\": \"hostile:\", \"limit\": 10}"),
                Shot.json("/v1/lock.force_release", "{\"key\": \"normal:1\"}"),
                Shot.json("/v1/hostile/lock/fuzz/acquire", "{\"instanceId\": \"i\", \"durationMs\": 1000}"),
                Shot.json(
                        "/v1/queues.create",
                        "{" + name + ", \"namespace\": \"hostile\", \"lease_timeout\": \"1s\","
                                + " \"expire_timeout\": \"1h\", \"max_attempts\": 2, \"requested_partitions\": 1}"),
                Shot.json("/v1/queues.update", "{" + name + ", \"max_attempts\": 3, \"requested_partitions\": 2}"),
                Shot.json("/v1/queues.delete", "{" + name + ", \"force\": true}"),
                Shot.json("/v1/queues.list", "{\"limit\": 10, \"namespace\": \"hostile\"}"),
                Shot.json(
                        "/v1/queue.produce",
                        "{" + name + ", \"request_timeout\": \"1s\", \"items\": [{\"utf8\": \"x\"},"
                                + " {\"bytes\": \"AAAA\", \"enqueue_at\": \"2030-01-01T00:00:00Z\"}]}"),
                Shot.json(
                        "/v1/queue.lease",
                        "{" + name + ", \"client_id\": \"f\", \"batch_size\": 5, \"request_timeout\": \"20ms\"}"),
                Shot.json("/v1/queue.complete", "{" + name + ", \"request_timeout\": \"1s\", \"ids\": [\"a\", \"b\"]}"),
                Shot.json("/v1/queue.retry", "{" + name + ", \"items\": [{\"id\": \"a\", \"dead\": true}]}"),
                Shot.json("/v1/queue.clear", "{" + name + ", \"queue\": true, \"destructive\": true}"),
                Shot.json("/v1/storage/items.list", "{" + name + ", \"limit\": 10, \"pivot\": \"\"}"),
                Shot.json(
                        "/v1/storage/items.import",
                        "{" + name + ", \"items\": [{\"payload\": \"AAAA\", \"attempts\": 1}]}"),
                Shot.json("/v1/storage/items.delete", "{" + name + ", \"ids\": [\"a\"]}"));
    }

    private static List<Shot> protobuf(String queue) {
        return List.of(
                shot(
                        "/v1/queues.create",
                        QueueInfo.newBuilder()
                                .setQueueName(queue)
                                .setNamespace("hostile")
                                .setLeaseTimeout("1s")
                                .setExpireTimeout("1h")
                                .setRequestedPartitions(1)
                                .build()
                                .toByteArray()),
                shot(
                        "/v1/queue.produce",
                        QueueProduceRequest.newBuilder()
                                .setQueueName(queue)
                                .setRequestTimeout("1s")
                                .addItems(QueueProduceItem.newBuilder().setUtf8("text"))
                                .build()
                                .toByteArray()),
                shot(
                        "/v1/queue.lease",
                        QueueLeaseRequest.newBuilder()
                                .setQueueName(queue)
                                .setBatchSize(5)
                                .setClientId("f")
                                .setRequestTimeout("20ms")
                                .build()
                                .toByteArray()),
                shot(
                        "/v1/queue.complete",
                        QueueCompleteRequest.newBuilder()
                                .setQueueName(queue)
                                .setRequestTimeout("1s")
                                .addIds("a")
                                .build()
                                .toByteArray()),
                shot(
                        "/v1/queue.retry",
                        QueueRetryRequest.newBuilder()
                                .setQueueName(queue)
                                .addItems(QueueRetryItem.newBuilder().setId("a").setDead(true))
                                .build()
                                .toByteArray()),
                shot(
                        "/v1/storage/items.list",
                        StorageItemsListRequest.newBuilder()
                                .setQueueName(queue)
                                .setLimit(5)
                                .build()
                                .toByteArray()),
                shot(
                        "/v1/storage/items.import",
                        StorageItemsImportRequest.newBuilder()
                                .setQueueName(queue)
                                .addItems(StorageItem.newBuilder()
                                        .setReference("r")
                                        .setAttempts(1))
                                .build()
                                .toByteArray()));
    }

    private static Shot shot(String path, byte[] body) {
        return new Shot(path, PROTOBUF, body);
    }

    private byte[] changed(byte[] body) {
        int at = random.nextInt(body.length + 1);
        return switch (random.nextInt(7)) {
            case 0 -> Arrays.copyOf(body, at);
            case 1 -> flipped(body);
            case 2 -> replaced(body, at, at, random(random.nextInt(1, 50)));
            case 3 -> replaced(body, at, random.nextInt(at, body.length + 1), random(3));
            case 4 -> replaced(body, at, at, Arrays.copyOfRange(body, random.nextInt(at + 1), at));
            case 5 -> replaced(body, at, at, "[".repeat(random.nextInt(DEEP)).getBytes(StandardCharsets.UTF_8));
            default -> otherValue(body);
        };
    }

    private byte[] flipped(byte[] body) {
        byte[] other = body.clone();
        if (other.length > 0) {
            other[random.nextInt(other.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return other;
    }

    private byte[] random(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Puts another value behind one of the colons, as far as the next comma: right JSON with the wrong thing in it. */
    private byte[] otherValue(byte[] body) {
        String text = new String(body, StandardCharsets.ISO_8859_1);
        int colon = text.indexOf(':', random.nextInt(text.length() + 1));
        int comma = text.indexOf(',', colon);
        String value = VALUES.get(random.nextInt(VALUES.size()));
        return colon < 0
                ? body
                : replaced(body, colon + 1, comma < 0 ? text.length() : comma, value.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] replaced(byte[] body, int from, int to, byte[] by) {
        byte[] all = new byte[from + by.length + body.length - to];
        System.arraycopy(body, 0, all, 0, from);
        System.arraycopy(by, 0, all, from, by.length);
        System.arraycopy(body, to, all, from + by.length, body.length - to);
        return all;
    }
}
