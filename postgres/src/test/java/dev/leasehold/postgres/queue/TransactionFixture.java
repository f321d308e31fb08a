package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.postgres.Db;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.testkit.TestClock;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.postgresql.ds.PGSimpleDataSource;

/** Two nodes that look around so seldom that only a wake-up wakes, a queue, and a table of the caller's own. */
abstract class TransactionFixture {
    static final int READ_COMMITTED = Connection.TRANSACTION_READ_COMMITTED;
    static final int REPEATABLE_READ = Connection.TRANSACTION_REPEATABLE_READ;
    static final int SERIALIZABLE = Connection.TRANSACTION_SERIALIZABLE;
    static final Duration LEASE = Duration.ofSeconds(30);
    final TestClock clock = new TestClock();
    PGSimpleDataSource dataSource;
    PostgresQueues node;
    PostgresQueues other;
    PostgresQueue queue;

    @BeforeEach
    void open() {
        dataSource = TestPostgres.newSchema();
        dataSource.setApplicationName(dataSource.getCurrentSchema());
        QueueSchema.create(dataSource);
        Db.execute(dataSource, "create table ledger (entry text)");
        node = node(Duration.ofMinutes(5)); // so that only a wake-up can be the reason that somebody wakes
        other = node(Duration.ofMinutes(5));
        node.create(QueueConfig.named("work").leaseTimeout(LEASE));
        queue = node.queue("work");
    }

    PostgresQueues node(Duration lookInterval) {
        return PostgresQueues.builder(dataSource)
                .testClock(clock)
                .connections(2)
                .timeout(timeout())
                .options(options -> options.lookInterval(lookInterval))
                .build();
    }

    /** How long a call of a node may take. */
    Duration timeout() {
        return Duration.ofSeconds(2);
    }

    @AfterEach
    void close() {
        node.close();
        other.close();
        Db.execute(TestPostgres.dataSource(), "drop schema " + dataSource.getCurrentSchema() + " cascade");
    }

    long entries() {
        return Db.number(dataSource, "select count(*) from ledger");
    }

    static void post(Connection connection) throws SQLException {
        Db.execute(connection, "insert into ledger values ('posted')");
    }

    static LeaseRequest request(String client, Duration timeout) {
        return LeaseRequest.of(client, 10).timeout(timeout);
    }

    LeasedBatch leaseOne() {
        queue.produce(NewItem.of("one"));
        return queue.lease(LeaseRequest.of("me", 1));
    }

    /** Commits; that it cannot be is what is being tested. */
    static void commitWhateverHappens(Connection connection) {
        try {
            connection.commit();
        } catch (SQLException e) {
            assertThat(e.getSQLState()).isNotNull();
        }
    }

    static void assertFails(ThrowingCallable call, QueueErrorCode code) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        QueueException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
