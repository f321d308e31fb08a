package dev.leasehold.client;

import dev.leasehold.postgres.queue.QueueSchema;
import dev.leasehold.queue.QueueOptions;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.testkit.QueueFixture;
import dev.leasehold.testkit.TestClock;
import dev.leasehold.testkit.TestPostgres;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.postgresql.ds.PGSimpleDataSource;

/** Clients of two server processes on one database. Calls go to them in turn. */
final class TwoProcessQueueFixture implements QueueFixture {
    private static final Duration LOOK = Duration.ofMillis(20);

    private final PGSimpleDataSource schema = TestPostgres.newSchema();
    private final List<ServerJvm> processes = ServerJvm.two();
    private final TestClock clock = ServerJvm.clockOf(processes);
    private final List<HttpQueues> clients = new CopyOnWriteArrayList<>();
    private final List<HttpQueues> each = new CopyOnWriteArrayList<>();
    private final List<URI> servers;

    TwoProcessQueueFixture() {
        QueueSchema.create(schema);
        servers = processes.stream().map(process -> serve(process, LOOK)).toList();
    }

    private URI serve(ServerJvm process, Duration lookInterval) {
        URI server = process.queues(schema.getCurrentSchema(), lookInterval);
        each.add(HttpQueues.builder(server).build());
        return server;
    }

    @Override
    public Queues node() {
        return client(HttpQueues.builder(servers.get(0)).server(servers.get(1)));
    }

    /** A client of a server of its own, in the one process or the other. */
    @Override
    public Queues node(QueueOptions options) {
        ServerJvm process = processes.get(each.size() % processes.size());
        return client(HttpQueues.builder(serve(process, options.lookInterval())));
    }

    private HttpQueues client(HttpQueues.Builder builder) {
        HttpQueues client = builder.build();
        clients.add(client);
        return client;
    }

    /** A server counts who waits there: all have to be asked. */
    @Override
    public int waitingAt(ItemQueue queue) {
        return each.stream()
                .mapToInt(server -> server.queue(queue.name()).admin().stats().leaseWaiting())
                .sum();
    }

    /** The API takes no more than 512 bytes for a whole lease request. */
    @Override
    public int longestName() {
        return 400;
    }

    @Override
    public TestClock clock() {
        return clock;
    }

    @Override
    public void close() {
        clients.forEach(HttpQueues::close);
        each.forEach(HttpQueues::close);
        processes.forEach(ServerJvm::reset);
        try (Connection connection = TestPostgres.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("drop schema " + schema.getCurrentSchema() + " cascade");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
