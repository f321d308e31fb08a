package dev.leasehold.client;

import dev.leasehold.lock.LockEvent.Result;
import dev.leasehold.lock.LockEvent.Type;
import dev.leasehold.lock.LockListener;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.admin.Capabilities;
import dev.leasehold.lock.engine.RenewingLocks;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.ServerOptions;
import dev.leasehold.testkit.LockFixture;
import dev.leasehold.testkit.TestClock;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Clients of one server, whose locks are in memory. */
final class HttpLockFixture implements LockFixture {
    private final LockFixture engine = new MemoryLockEngine();
    private final LeaseholdServer server;
    private final List<HttpLocks> clients = new CopyOnWriteArrayList<>();
    private final AtomicInteger refusals = new AtomicInteger();

    HttpLockFixture() {
        LockListener listener = event -> {
            if (event.type() == Type.ACQUIRE && event.result() == Result.FAIL) {
                refusals.incrementAndGet();
            }
        };
        server = LeaseholdServer.start(
                ServerOptions.DEFAULT.address("127.0.0.1", 0),
                engine.node(LockOptions.DEFAULT.listener(listener)),
                MemoryQueues.create());
    }

    static URI address(LeaseholdServer server) {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    @Override
    public RenewingLocks node(LockOptions options) {
        HttpLocks client =
                HttpLocks.builder(address(server)).options(defaults -> options).build();
        clients.add(client);
        return client.renewing();
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities("http", true, Capabilities.TimeAuthority.SERVER);
    }

    @Override
    public TestClock clock() {
        return engine.clock();
    }

    @Override
    public void setFenceCounter(String key, long value) {
        engine.setFenceCounter(key, value);
    }

    /** A client hears of no refusal while it waits; the server that it waits at does. */
    @Override
    public boolean isInLine(long heardByClient) {
        return refusals.get() >= 2;
    }

    @Override
    public boolean isRemote() {
        return true;
    }

    @Override
    public void close() {
        clients.forEach(HttpLocks::close);
        server.close();
        engine.close();
    }
}
