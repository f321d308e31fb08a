package dev.leasehold.chaos.attack;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.function.IntFunction;

/** What a crowd of connections does that never finish what they began, or never read what they asked for. */
@SuppressWarnings("ImmutableEnumChecker") // functions and bytes that nobody changes
enum CrowdAttack {
    BODIES_FOR_HEALTH(unfinished("GET /health", "")),
    BODIES_FOR_METRICS(unfinished("GET /metrics", "")),
    BODIES_FOR_NOTHING(unfinished("GET /nowhere", "")),
    BODIES_FOR_THE_ROOT(unfinished("POST /", "")),
    ACQUIRES_WITHOUT_CREDENTIAL(unfinished("POST /v1/lock.acquire", "")),
    PRODUCES_WITHOUT_CREDENTIAL(unfinished("POST /v1/queue.produce", "")),
    IMPORTS_WITHOUT_CREDENTIAL(unfinished("POST /v1/storage/items.import", "")),
    ACQUIRES_WITH_CREDENTIAL(unfinished("POST /v1/lock.acquire", key())),
    PRODUCES_WITH_CREDENTIAL(unfinished("POST /v1/queue.produce", key())),
    IMPORTS_WITH_CREDENTIAL(unfinished("POST /v1/storage/items.import", key())),
    SILENCE(""),
    HEADS_BYTE_BY_BYTE("POST /v1/lock.acquire HTTP/1.1\r\nX-Slow: ", "x"),
    BODIES_BYTE_BY_BYTE(head("POST /v1/queue.produce", key(), 5_000_000), " "),
    HALF_CLOSED(head("POST /v1/lock.acquire", "", 10) + "{"),
    UNREAD_METRICS(get("/metrics").repeat(2)),
    UNREAD_PAGES(get("/openapi.yaml").repeat(2)),
    REQUESTS_WITHOUT_END(get("/health").repeat(500)),
    LARGE_HEADS("GET /health HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(16_000)),
    GARBAGE(CrowdAttack::garbage),
    PARKED_LEASES(number -> post("/v1/queue.lease", """
            {"queue_name": "%s", "client_id": "c%d", "batch_size": 1, "request_timeout": "15m"}""".formatted(HostileClient.IDLE_QUEUE, number))),
    PARKED_ACQUIRES(number -> post("/v1/lock.acquire", """
            {"key": "hostile:parked", "ttl": "1m", "wait": "15m"}"""));

    private final IntFunction<byte[]> opening;
    private final byte[] drip;

    CrowdAttack(IntFunction<byte[]> opening) {
        this.opening = opening;
        this.drip = new byte[0];
    }

    CrowdAttack(String opening) {
        this(opening, "");
    }

    CrowdAttack(String opening, String drip) {
        byte[] bytes = opening.getBytes(StandardCharsets.ISO_8859_1);
        this.opening = number -> bytes;
        this.drip = drip.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Opens the connections; they stay until the crowd is closed. */
    Crowd open(int count, int port) {
        Crowd crowd = Crowd.of(count, port, opening);
        if (this == HALF_CLOSED) {
            crowd.shutdownOutputs();
        }
        return crowd;
    }

    /** Sends the next byte on every connection, if it is an attack that goes on so. */
    void drip(Crowd crowd) {
        if (isSlow()) {
            crowd.sendAll(drip);
        }
    }

    boolean isSlow() {
        return drip.length > 0;
    }

    private static String key() {
        return "Authorization: Bearer " + Victim.HOSTILE_KEY + "\r\n";
    }

    private static String head(String line, String header, int length) {
        return line + " HTTP/1.1\r\nHost: localhost\r\n" + header + "Content-Length: " + length + "\r\n\r\n";
    }

    /** A body that lacks its last byte. */
    private static String unfinished(String line, String header) {
        return head(line, header, 65_536) + " ".repeat(65_535);
    }

    private static String get(String page) {
        return "GET " + page + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    }

    private static byte[] post(String path, String json) {
        String header = key() + "Content-Type: application/json\r\n";
        return (head("POST " + path, header, json.length()) + json).getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] garbage(int number) {
        byte[] bytes = new byte[2_000];
        new Random(number).nextBytes(bytes);
        return bytes;
    }
}
