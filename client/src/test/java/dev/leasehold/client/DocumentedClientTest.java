package dev.leasehold.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leasehold;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.ServerOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the client's document shows works: each of its blocks is a part of this class. */
class DocumentedClientTest {
    private static final Pattern JAVA_BLOCK =
            Pattern.compile("(?m)^```java\\R(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

    private final String token = "key";
    private final String traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private LeaseholdServer running;
    private URI server;
    private URI another;

    @BeforeEach
    final void start() {
        running = LeaseholdServer.start(
                ServerOptions.DEFAULT.address("127.0.0.1", 0), MemoryLocks.create(), MemoryQueues.create());
        server = HttpLockFixture.address(running);
        another = server;
    }

    @AfterEach
    final void stop() {
        running.close();
    }

    @Test
    void one_entry_has_locks_and_queues() {
        String address = server.toString();
        try (Leasehold leasehold = HttpLeasehold.connect(address, token);
                HeldLock lock = leasehold.locks().acquire("ledger:7")) {
            lock.checkpoint();
        }
    }

    @Test
    void a_lock_is_held() {
        try (HttpLocks locks = HttpLocks.builder(server).token(token).build();
                HeldLock lock = locks.acquire("ledger:7")) {
            lock.checkpoint();
        }
    }

    @Test
    void an_item_is_produced_leased_and_completed() {
        try (HttpQueues queues = HttpQueues.builder(server).token(token).build()) {
            queues.declare(QueueConfig.named("orders"));
            ItemQueue orders = queues.queue("orders");
            orders.produce(NewItem.of("order 7"));
            LeasedBatch batch = orders.lease(10);
            orders.complete(batch);
        }
    }

    @Test
    void all_can_be_said_to_the_builder() {
        HttpLocks locks = HttpLocks.builder(server)
                .server(another)
                .timeout(Duration.ofSeconds(3))
                .headers(() -> Map.of("traceparent", traceparent))
                .options(options -> options.ttl(Duration.ofSeconds(10)))
                .build();
        try (locks) {
            assertThat(locks.tryAcquire("ledger:8")).isPresent();
        }
    }

    @Test
    void every_block_of_the_document_is_here() throws IOException {
        Path root = Files.exists(Path.of("docs/client.md")) ? Path.of("") : Path.of("..");
        String here =
                Files.readString(root.resolve("client/src/test/java/dev/leasehold/client/DocumentedClientTest.java"));
        List<String> blocks = JAVA_BLOCK
                .matcher(Files.readString(root.resolve("docs/client.md")))
                .results()
                .map((MatchResult block) -> squeezed(block.group(1)))
                .toList();
        assertThat(blocks)
                .hasSize(4)
                .allSatisfy(block -> assertThat(squeezed(here)).contains(block));
    }

    private static String squeezed(String code) {
        return code.replaceAll("\\s+", " ").trim();
    }
}
