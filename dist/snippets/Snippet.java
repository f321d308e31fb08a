import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A code block of the documents, with what the pages take for granted: a data source, a Leasehold with its tables, a ledger. */
abstract class Snippet implements AutoCloseable {
    DataSource dataSource;
    String jdbcUrl;
    Leasehold leasehold;
    Ledger ledger = new Ledger();
    String entry = "rent";

    /** What the reference pages take for granted beside that, on PostgreSQL: a lock, a queue with items, some of them leased. */
    PostgresLocks locks;

    PostgresQueues queues;
    PostgresQueue queue;
    PostgresQueue orders;
    PostgresQueue receipts;
    Queue<String> letters;
    LeasedBatch batch;
    HeldLock lock;
    String lockId;
    Connection connection;
    DataSource direct;

    /** What docs/client.md and docs/metrics.md take for granted. */
    String address = "";

    URI server;
    URI another;
    String token = "";
    String traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    MeterRegistry registry = new SimpleMeterRegistry();

    abstract void run() throws Exception;

    void setUp(PostgresLeasehold postgres) throws SQLException {
        locks = postgres.locks();
        queues = postgres.queues();
        queue = declared("given");
        orders = declared("bookings");
        receipts = declared("receipts");
        letters = queues.declare(QueueConfig.named("mail"), Codec.text());
        queue.produce(NewItem.of("one"), NewItem.of("two"), NewItem.of("three"));
        orders.produce(NewItem.of("tea"));
        batch = queue.lease(LeaseRequest.of("given", 1));
        lock = locks.acquire("given");
        String other = "given:" + System.nanoTime(); // this grant is not released: it ends with its ttl
        lockId = locks.acquire(AcquireRequest.of(other).withoutRenewal()).lockId().value();
        connection = dataSource.getConnection();
        direct = dataSource;
    }

    private PostgresQueue declared(String name) {
        queues.declare(QueueConfig.named(name));
        return queues.queue(name);
    }

    @Override
    public void close() throws SQLException {
        if (connection != null) {
            connection.close(); // first, because it may guard
            lock.close();
        }
    }

    void step(int number) {}

    void stopWorking() {}

    static final class Ledger {
        void post(Connection connection, String entry) throws SQLException {
            try (PreparedStatement insert = connection.prepareStatement("insert into ledger values (?)")) {
                insert.setString(1, entry);
                insert.executeUpdate();
            }
        }
    }
}
