package dev.leasehold.client;

import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.queue.DiscardedItems;
import dev.leasehold.queue.QueueOptions;
import dev.leasehold.queue.Queues;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.ServerOptions;
import dev.leasehold.testkit.QueueFixture;
import dev.leasehold.testkit.TestClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Clients of servers whose queues are in memory: each node is a client of a server of its own. */
final class HttpQueueFixture implements QueueFixture {
    private final QueueFixture engine = new MemoryQueueEngine();
    private final List<LeaseholdServer> servers = new CopyOnWriteArrayList<>();
    private final List<HttpQueues> clients = new CopyOnWriteArrayList<>();

    @Override
    public Queues node() {
        return client(engine.node());
    }

    @Override
    public Queues node(QueueOptions options) {
        return client(engine.node(options));
    }

    private HttpQueues client(Queues queues) {
        LeaseholdServer server =
                LeaseholdServer.start(ServerOptions.DEFAULT.address("127.0.0.1", 0), MemoryLocks.create(), queues);
        servers.add(server);
        HttpQueues client = HttpQueues.builder(HttpLockFixture.address(server)).build();
        clients.add(client);
        return client;
    }

    /** The API takes no more than 512 bytes for a whole lease request. */
    @Override
    public int longestName() {
        return 400;
    }

    @Override
    public @Nullable List<DiscardedItems> discarded() {
        return engine.discarded();
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
