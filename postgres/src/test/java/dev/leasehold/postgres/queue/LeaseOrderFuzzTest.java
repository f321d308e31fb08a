package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.postgres.Db;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.Portion;
import dev.leasehold.testkit.TestWaits;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two nodes that take a survey after every lease, and so begin as far behind as they may, while transactions of all lengths produce:
 * what was acknowledged before is leased before.
 */
@Timeout(TestWaits.TEST_LIMIT)
@Tag("slow")
class LeaseOrderFuzzTest {
    private static final Duration TIME = Duration.ofSeconds(5);
    private static final int LONGEST_MILLIS = 30;

    private final BareEngine one = new BareEngine();
    private final BareEngine other = new BareEngine(one);
    private final PartitionRef queue = one.create(QueueConfig.named("busy"));
    private final Map<ItemId, Story> stories = new ConcurrentHashMap<>();
    private final long end = System.nanoTime() + TIME.toNanos();

    @AfterEach
    void close() {
        other.close();
        one.close();
    }

    /** When an item was asked for and acknowledged, and when the lease that had it was: later than anything, if there was none. */
    private static final class Story {
        volatile long began;
        volatile long acknowledged = Long.MAX_VALUE;
        volatile long leaseBegan = Long.MAX_VALUE;
        volatile long leased = Long.MAX_VALUE;
    }

    private Story story(ItemId id) {
        return stories.computeIfAbsent(id, key -> new Story());
    }

    @Test
    void what_was_acknowledged_before_is_leased_before() throws Exception {
        one.store.complete(queue, one.leased(queue, 1)).join();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Callable<Void>> all = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Random random = new Random(i);
                all.add(() -> repeat(() -> produceInTransaction(random)));
                all.add(() -> repeat(() -> produce(random.nextBoolean() ? one : other)));
            }
            for (BareEngine node : List.of(one, other)) {
                Random random = new Random(all.size());
                all.add(() -> repeat(() -> lease(node, 1 + random.nextInt(20))));
            }
            for (Future<Void> worker : threads.invokeAll(all)) {
                worker.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(one.calls(queue).cursor.beginScan().known())
                .as("where leases begin")
                .isPositive();
        assertThat(stories.values())
                .filteredOn(story -> story.leased < Long.MAX_VALUE)
                .hasSizeGreaterThan(100);
        assertThat(overtaken()).isEmpty();
    }

    private interface Step {
        void run() throws Exception;
    }

    private Void repeat(Step step) throws Exception {
        while (System.nanoTime() - end < 0) {
            step.run();
        }
        return null;
    }

    private void produce(BareEngine node) {
        long began = System.nanoTime();
        acknowledge(began, node.store.produce(queue, BareEngine.items(2)).join());
    }

    private void produceInTransaction(Random random) throws SQLException, InterruptedException {
        long began = System.nanoTime();
        try (Connection connection = Db.transaction(one.dataSource)) {
            List<ItemId> ids = one.calls(queue).produce.runAlone(connection, BareEngine.items(2));
            Thread.sleep(random.nextInt(LONGEST_MILLIS));
            if (random.nextInt(5) == 0) {
                connection.rollback();
            } else {
                connection.commit();
                acknowledge(began, ids);
            }
        }
    }

    private void acknowledge(long began, List<ItemId> ids) {
        long now = System.nanoTime();
        for (ItemId id : ids) {
            story(id).began = began;
            story(id).acknowledged = now;
        }
    }

    private void lease(BareEngine node, int limit) {
        long began = System.nanoTime();
        List<ItemId> ids = node.store.lease(queue, Portion.of(limit)).join().items().stream()
                .map(LeasedItem::id)
                .toList();
        long now = System.nanoTime();
        for (ItemId id : ids) {
            story(id).leaseBegan = began;
            story(id).leased = now;
        }
        if (!ids.isEmpty()) {
            node.store.complete(queue, ids).join();
        }
        node.survey(queue);
    }

    /** Items that were leased before one that had been acknowledged before they were asked for. */
    private List<String> overtaken() {
        List<Story> byAcknowledged = stories.values().stream()
                .filter(story -> story.acknowledged < Long.MAX_VALUE)
                .sorted(Comparator.comparingLong(story -> story.acknowledged))
                .toList();
        List<Story> byBegan = byAcknowledged.stream()
                .filter(story -> story.leased < Long.MAX_VALUE)
                .sorted(Comparator.comparingLong(story -> story.began))
                .toList();
        List<String> overtaken = new ArrayList<>();
        long latest = Long.MIN_VALUE;
        int next = 0;
        for (Story story : byBegan) {
            while (next < byAcknowledged.size() && byAcknowledged.get(next).acknowledged < story.began) {
                latest = Math.max(latest, byAcknowledged.get(next++).leaseBegan);
            }
            if (latest > story.leased) {
                overtaken.add("by " + (latest - story.leased) / 1000 + " us");
            }
        }
        return overtaken;
    }
}
