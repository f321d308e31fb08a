package dev.leasehold.client;

import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.admin.Capabilities;
import dev.leasehold.lock.engine.RenewingLocks;
import dev.leasehold.postgres.lock.LockSchema;
import dev.leasehold.testkit.FenceCounters;
import dev.leasehold.testkit.LockFixture;
import dev.leasehold.testkit.TestClock;
import dev.leasehold.testkit.TestPostgres;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.postgresql.ds.PGSimpleDataSource;

/** Clients of two server processes on one database. Calls go to them in turn. */
final class TwoProcessLockFixture implements LockFixture {
    private static final PGSimpleDataSource SCHEMA = schema();

    private final List<ServerJvm> processes = ServerJvm.two();
    private final TestClock clock = ServerJvm.clockOf(processes);
    private final List<HttpLocks> clients = new CopyOnWriteArrayList<>();
    private final List<URI> servers;

    TwoProcessLockFixture() {
        servers = processes.stream()
                .map(process -> process.locks(SCHEMA.getCurrentSchema()))
                .toList();
    }

    private static PGSimpleDataSource schema() {
        PGSimpleDataSource schema = TestPostgres.newSchema();
        LockSchema.create(schema);
        return schema;
    }

    @Override
    public RenewingLocks node(LockOptions options) {
        HttpLocks client = HttpLocks.builder(servers.get(0))
                .server(servers.get(1))
                .options(defaults -> options)
                .build();
        clients.add(client);
        return client.renewing();
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities("http", true, Capabilities.TimeAuthority.SERVER);
    }

    @Override
    public TestClock clock() {
        return clock;
    }

    @Override
    public void setFenceCounter(String key, long value) {
        FenceCounters.set(SCHEMA, key, value);
    }

    /** A client hears of no refusal while it waits; the server that it waits at does. */
    @Override
    public boolean isInLine(long heardByClient) {
        return processes.stream().mapToInt(ServerJvm::refusals).sum() >= 2;
    }

    @Override
    public boolean isRemote() {
        return true;
    }

    @Override
    public void close() {
        clients.forEach(HttpLocks::close);
        processes.forEach(ServerJvm::reset);
    }
}
