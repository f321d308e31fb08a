package dev.leasehold.examples;

import static dev.leasehold.examples.Story.execute;
import static dev.leasehold.examples.Story.say;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockLostException;
import dev.leasehold.postgres.lock.LockSchema;
import dev.leasehold.postgres.lock.PostgresLocks;
import dev.leasehold.postgres.queue.PostgresQueue;
import dev.leasehold.postgres.queue.PostgresQueues;
import dev.leasehold.postgres.queue.QueueSchema;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;

/** All of it in one story: acquire, be refused, wait and be woken, guard a transaction, be refused as a stale holder; and a queue. */
public final class QuickStart {
    private QuickStart() {}

    public static void main(String[] args) throws SQLException {
        say("Starting PostgreSQL ...");
        DataSource dataSource = TestPostgres.newSchema();
        LockSchema.create(dataSource);
        try (Connection connection = dataSource.getConnection()) {
            execute(connection, "create table ledger (entry text)");
        }
        try (PostgresLocks nodeA = PostgresLocks.create(dataSource);
                PostgresLocks nodeB = PostgresLocks.create(dataSource)) {
            wakeTheNext(nodeA, nodeB);
            guard(nodeA, dataSource);
            refuseTheStale(nodeA, nodeB, dataSource);
        }
        queue(dataSource);
        say("Done.");
    }

    private static void wakeTheNext(PostgresLocks nodeA, PostgresLocks nodeB) {
        HeldLock a = nodeA.acquire("ledger:7");
        say("Node A holds ledger:7 with fence %s and renews it until it is released.", a.fence());
        say("Node B tries to acquire it: %s.", nodeB.tryAcquire("ledger:7").isEmpty() ? "refused" : "granted");
        var waiting = CompletableFuture.supplyAsync(() -> nodeB.acquire("ledger:7"));
        Story.pause(Duration.ofMillis(500));
        say("Node B waits for it. Node A releases it ...");
        long start = System.nanoTime();
        a.close();
        try (HeldLock b = waiting.join()) {
            say("... and %.1f ms later node B holds it with fence %s.", (System.nanoTime() - start) / 1e6, b.fence());
        }
    }

    private static void guard(PostgresLocks locks, DataSource dataSource) throws SQLException {
        try (HeldLock lock = locks.acquire("ledger:7");
                Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            lock.guard(connection);
            execute(connection, "insert into ledger values ('rent')");
            connection.commit();
            say("Node A committed a transaction under the guard of fence %s.", lock.fence());
        }
    }

    private static void refuseTheStale(PostgresLocks nodeA, PostgresLocks nodeB, DataSource dataSource)
            throws SQLException {
        HeldLock stale = nodeA.acquire(
                AcquireRequest.of("ledger:7").ttl(Duration.ofMillis(500)).withoutRenewal());
        say("Node A holds it for 500 ms with fence %s, and pauses for too long ...", stale.fence());
        try (HeldLock next = nodeB.acquire("ledger:7");
                Connection connection = dataSource.getConnection()) {
            say("... so node B acquires it with fence %s.", next.fence());
            connection.setAutoCommit(false);
            execute(connection, "insert into ledger values ('the same rent again')");
            stale.guard(connection);
            connection.commit();
        } catch (LockLostException e) {
            say("Node A goes on, and its guard says: %s. Nothing was committed.", e.getMessage());
        }
    }

    private static void queue(DataSource dataSource) throws SQLException {
        QueueSchema.create(dataSource);
        try (PostgresQueues queues = PostgresQueues.create(dataSource);
                Connection connection = dataSource.getConnection()) {
            queues.create(QueueConfig.named("rents"));
            PostgresQueue rents = queues.queue("rents");
            rents.produce(NewItem.of("May"), NewItem.of("June"));
            LeasedBatch batch = rents.lease(LeaseRequest.of("worker", 10));
            connection.setAutoCommit(false);
            execute(connection, "insert into ledger values ('two rents')");
            rents.complete(connection, batch.partition(), batch.ids());
            connection.commit();
            say(
                    "A worker leased %d items from a queue, booked and completed them in one transaction.",
                    batch.items().size());
        }
    }
}
