package dev.leasehold.server.http;

import static dev.leasehold.testkit.TestWaits.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.leasehold.server.ServerOptions.Limits;
import dev.leasehold.testkit.TestWaits;
import dev.leasehold.testkit.process.ChildJvm;
import dev.leasehold.testkit.process.ChildJvm.Program;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Alone, because it counts the threads and the memory of this JVM. */
@Tag("slow")
@Isolated
@Timeout(5 * TestWaits.TEST_LIMIT)
class CrowdTest {
    private static final int IDLE = 10_000;
    private static final int PARKED = 5_000;
    private static final long MOST_BYTES = 300_000_000;
    private static final String ACTIVE = "leasehold_requests_active";
    private static final String OPEN = "leasehold_connections_open";

    @Test
    @Tag("long")
    void ten_thousand_who_say_nothing_keep_nobody_from_being_served() throws Exception {
        needFiles(IDLE + 1_000);
        try (TestServer server = new TestServer()) {
            try (ChildJvm crowd = crowd(server.port())) {
                assertThat(crowd.hear()).isEqualTo("open");
                await().until(() -> server.metric(OPEN) >= IDLE);

                long start = System.nanoTime();
                assertThat(server.isAlive()).isTrue();
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(TestWaits.LIMIT);
                crowd.hangUp();
                assertThat(crowd.awaitEnd(TestWaits.LIMIT)).isTrue();
            }
            await().until(() -> server.metric(OPEN) < 10);
        }
    }

    private static ChildJvm crowd(int port) {
        return ChildJvm.start(Program.of(IdleCrowd.class, Integer.toString(port), Integer.toString(IDLE)));
    }

    private static void needFiles(long wanted) {
        boolean enough = !(ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix)
                || unix.getMaxFileDescriptorCount() - unix.getOpenFileDescriptorCount() > wanted;
        assumeThat(enough)
                .as("this needs %d open files; raise it with ulimit -n", wanted)
                .isTrue();
    }

    @Test
    void five_thousand_who_wait_cost_no_thread_and_little_memory() throws Exception {
        needFiles(2L * PARKED + 1_000);
        try (TestServer server = new TestServer()) {
            server.post("/v1/lock.acquire", "{\"key\": \"crowd\", \"ttl\": \"10m\"}");
            server.post("/v1/queues.create", QUEUE);
            assertThat(server.isAlive()).isTrue();
            int threads = Thread.getAllStackTraces().size();
            long bytes = heap();

            List<SocketChannel> parked = new ArrayList<>();
            for (int i = 0; i < PARKED; i++) {
                parked.add(park(server.port(), i));
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> server.metric(ACTIVE) > PARKED);

            long grown = heap() - bytes;
            System.out.printf("%d parked calls: %.1f MB of heap%n", PARKED, grown / 1e6);
            assertThat(grown).isLessThan(MOST_BYTES);
            assertThat(Thread.getAllStackTraces().size() - threads).isLessThan(20);
            assertThat(server.isAlive()).isTrue();
            for (SocketChannel channel : parked) {
                channel.close();
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> server.metric(ACTIVE) <= 1);
        }
    }

    private static final String QUEUE =
            "{\"queue_name\": \"crowd\", \"lease_timeout\": \"1m\", \"expire_timeout\": \"1h\","
                    + " \"requested_partitions\": 1}";

    /** Half of them wait for a lock, half for items. */
    private static SocketChannel park(int port, int i) throws IOException {
        SocketChannel channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        String request = i % 2 == 0
                ? RawClient.post("/v1/lock.acquire", "{\"key\": \"crowd\", \"wait\": \"10m\"}")
                : RawClient.post(
                        "/v1/queue.lease",
                        "{\"queue_name\": \"crowd\", \"client_id\": \"c" + i
                                + "\", \"batch_size\": 1, \"request_timeout\": \"10m\"}");
        channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8)));
        return channel;
    }

    private static long heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @Test
    void who_comes_beyond_the_limit_is_hung_up_on_until_somebody_leaves() {
        Limits three = Limits.DEFAULT.connections(3);
        try (TestServer server = new TestServer(three)) {
            List<RawClient> seated = List.of(server.connect(), server.connect(), server.connect());
            String ask = RawClient.post("/v1/lock.is_locked", "{\"key\": \"a\"}");
            seated.forEach(
                    client -> assertThat(client.send(ask).answer().status()).isEqualTo(200));

            try (RawClient fourth = server.connect()) {
                assertThat(fourth.isHungUpOn()).isTrue();
            }
            seated.get(0).close();
            await().ignoreExceptions().until(server::isAlive);
            seated.forEach(RawClient::close);
        }
    }

    @Test
    void who_hangs_up_while_waiting_leaves_the_line() {
        try (TestServer server = new TestServer();
                RawClient next = server.connect()) {
            String id = lockId(server.post("/v1/lock.acquire", "{\"key\": \"line\", \"ttl\": \"10m\"}"));
            RawClient leaver = server.connect();
            leaver.send(RawClient.post("/v1/lock.acquire", "{\"key\": \"line\", \"wait\": \"10m\"}"));
            await().until(() -> server.metric(ACTIVE) == 2);
            next.send(RawClient.post("/v1/lock.acquire", "{\"key\": \"line\", \"wait\": \"10m\"}"));
            await().until(() -> server.metric(ACTIVE) == 3);

            leaver.close();
            await().until(() -> server.metric(ACTIVE) == 2);
            server.post("/v1/lock.release", "{\"lock_id\": \"" + id + "\"}");

            RawClient.Answer granted = next.answer();
            assertThat(granted.body()).contains("\"acquired\":true", "\"fence\":\"000000000000002\"");
            server.post("/v1/lock.release", "{\"lock_id\": \"" + lockId(granted) + "\"}");
            assertThat(server.post("/v1/lock.is_locked", "{\"key\": \"line\"}").body())
                    .contains("false");
        }
    }

    private static String lockId(RawClient.Answer granted) {
        return granted.body().replaceAll(".*\"lock_id\":\"([^\"]+)\".*", "$1");
    }
}
