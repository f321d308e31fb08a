package dev.leasehold.cli.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestWaits;
import java.io.IOException;
import java.time.Duration;

/** A client that asks for a large answer and does not read it. The bound on that is a minute and has no setting: begin early. */
final class UnreadAnswer implements AutoCloseable {
    private static final Duration LONGER_THAN_A_MINUTE = Duration.ofMinutes(3);
    private static final int ITEM = 4_000_000;
    private static final int ITEMS = 3;

    private final BoundServer server = new BoundServer();
    private final RawConnection deaf;

    UnreadAnswer() throws IOException {
        server.createQueue("q");
        for (int i = 0; i < ITEMS; i++) {
            server.produce("q", "{\"utf8\":\"" + "x".repeat(ITEM) + "\"}");
        }
        deaf = RawConnection.withSmallBuffer(server.port());
        deaf.send(RawConnection.post("/v1/queue.lease", BoundServer.lease("q", ITEMS)));
    }

    /** The server tells whether the connection is open: a client that finds out by reading takes the answer. */
    void walk(Row row) throws IOException {
        assertThat(row.fallback()).isEqualTo("1m");
        TestWaits.await()
                .pollInterval(Duration.ofMillis(200))
                .atMost(LONGER_THAN_A_MINUTE)
                .until(() -> server.metric("leasehold_connections_open") == 1);
        assertThat(deaf.bytesUntilClosed()).isBetween(1L, (long) ITEMS * ITEM);
        server.serves();
    }

    @Override
    public void close() throws IOException {
        deaf.close();
        server.close();
    }
}
