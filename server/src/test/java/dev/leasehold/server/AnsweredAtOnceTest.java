package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.queue.Queues;
import dev.leasehold.testkit.TestWaits;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An answer that is ready at once is charged to the budget before the next one is made: a crowd cannot have one each in memory. */
@Timeout(TestWaits.TEST_LIMIT)
class AnsweredAtOnceTest {
    private static final int CONNECTIONS = 40;
    private static final byte[] REQUEST =
            "POST /v1/queues.list HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
                    .getBytes(StandardCharsets.ISO_8859_1);

    /** What each event loop did, in its order. */
    private final Map<String, List<String>> done = new ConcurrentHashMap<>();

    private final CountDownLatch sent = new CountDownLatch(1);

    private void note(String what) {
        done.computeIfAbsent(Thread.currentThread().getName(), loop -> new CopyOnWriteArrayList<>())
                .add(what);
    }

    /** Queues whose listing is there at once, when all have asked. */
    private Queues listing(Queues memory) {
        return (Queues) Proxy.newProxyInstance(
                Queues.class.getClassLoader(), new Class<?>[] {Queues.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("listAsync")) {
                        assertThat(sent.await(TestWaits.LIMIT.toSeconds(), TimeUnit.SECONDS))
                                .isTrue();
                        note("made");
                        return CompletableFuture.completedFuture(List.of());
                    }
                    try {
                        return method.invoke(memory, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void no_answer_is_made_before_the_one_before_it_is_on_its_way() throws IOException {
        List<Socket> sockets = new ArrayList<>();
        try (LeaseholdServer server = LeaseholdServer.start(
                ServerOptions.DEFAULT.address("127.0.0.1", 0),
                MemoryLocks.create(),
                listing(MemoryQueues.create()),
                line -> note("answered"))) {
            for (int i = 0; i < CONNECTIONS; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
                sockets.add(socket);
                socket.getOutputStream().write(REQUEST);
            }
            sent.countDown();
            TestWaits.await()
                    .until(() -> done.values().stream().mapToInt(List::size).sum() == 2 * CONNECTIONS);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
        assertThat(done.values()).allSatisfy(loop -> {
            for (int i = 0; i < loop.size(); i++) {
                assertThat(loop.get(i)).isEqualTo(i % 2 == 0 ? "made" : "answered");
            }
        });
    }
}
