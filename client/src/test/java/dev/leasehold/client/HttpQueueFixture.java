package dev.leasehold.client;

import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.queue.Queue;
import dev.leasehold.queue.QueueOptions;
import dev.leasehold.queue.Queues;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.ServerOptions;
import dev.leasehold.testkit.QueueFixture;
import dev.leasehold.testkit.TestClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Clients of servers whose queues are nodes of an engine's own fixture. With one server each node is a client of a server of its
 * own; with more they are clients of all of them, and calls go to the servers in turn.
 */
final class HttpQueueFixture implements QueueFixture {
    private final QueueFixture engine;
    private final int count;
    private final List<Queues> engineNodes = new CopyOnWriteArrayList<>();
    private final List<LeaseholdServer> servers = new CopyOnWriteArrayList<>();
    private final List<HttpQueues> clients = new CopyOnWriteArrayList<>();

    HttpQueueFixture(QueueFixture engine, int count) {
        this.engine = engine;
        this.count = count;
        for (int i = 0; count > 1 && i < count; i++) {
            serve(engine.node());
        }
    }

    private LeaseholdServer serve(Queues queues) {
        LeaseholdServer server =
                LeaseholdServer.start(ServerOptions.DEFAULT.address("127.0.0.1", 0), MemoryLocks.create(), queues);
        servers.add(server);
        engineNodes.add(queues);
        return server;
    }

    @Override
    public Queues node() {
        return client(count == 1 ? List.of(serve(engine.node())) : servers.subList(0, count));
    }

    /** A client of a server of its own, which works as these options say. */
    @Override
    public Queues node(QueueOptions options) {
        return client(List.of(serve(engine.node(options))));
    }

    private HttpQueues client(List<LeaseholdServer> its) {
        HttpQueues.Builder builder = HttpQueues.builder(HttpLockFixture.address(its.get(0)));
        its.stream().skip(1).map(HttpLockFixture::address).forEach(builder::server);
        HttpQueues client = builder.build();
        clients.add(client);
        return client;
    }

    /** A server counts who waits there: with several of them, all have to be asked. */
    @Override
    public int waitingAt(Queue queue) {
        return count == 1
                ? queue.stats().leaseWaiting()
                : engineNodes.stream()
                        .mapToInt(node -> node.queue(queue.name()).stats().leaseWaiting())
                        .sum();
    }

    /** The door takes no more than 512 bytes for a whole lease request. */
    @Override
    public int longestName() {
        return 400;
    }

    @Override
    public TestClock clock() {
        return engine.clock();
    }

    @Override
    public void close() {
        clients.forEach(HttpQueues::close);
        new ArrayList<>(servers).forEach(LeaseholdServer::close);
        engine.close();
    }
}
