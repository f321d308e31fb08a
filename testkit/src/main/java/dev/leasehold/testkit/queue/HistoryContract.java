package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.RetryItem;
import dev.leasehold.testkit.TestWaits;
import dev.leasehold.testkit.queue.QueueHistory.Span;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many producers and consumers at one partition, on several nodes: what they saw is what a FIFO queue with leases does. */
@Tag("slow") // waits for real time
public class HistoryContract extends QueueContract {
    private static final Duration ALL = Duration.ofSeconds(TestWaits.TEST_LIMIT);
    private static final int PRODUCERS = 3;
    private static final int CONSUMERS = 4;

    private final Set<String> completed = ConcurrentHashMap.newKeySet();
    private List<ItemQueue> nodes = List.of();
    private QueueHistory history = new QueueHistory(LEASE);

    @Test
    void produce_lease_and_complete_are_linearizable() {
        run(LEASE, 120, item -> Decision.COMPLETE);
        assertThat(history.completes()).hasSize(PRODUCERS * 120);
        assertThat(history.leases().stream()
                        .mapToInt(lease -> lease.items().size())
                        .sum())
                .isEqualTo(PRODUCERS * 120);
    }

    @Test
    void retried_items_go_behind_what_was_acknowledged_before() {
        run(LEASE, 60, item -> chance(40) && item.attempts() < 5 ? Decision.RETRY : Decision.COMPLETE);
        assertThat(history.retries()).hasSizeGreaterThan(20);
        assertThat(history.refusals()).isEmpty();
    }

    @Test
    void items_whose_lease_ended_go_behind_what_was_acknowledged_before() {
        run(
                Duration.ofMillis(300),
                40,
                item -> chance(20) && item.attempts() < 3 ? Decision.LET_LAPSE : Decision.COMPLETE);
        assertThat(againAfterExpiry()).isPositive();
    }

    @Test
    void whatever_is_decided_the_history_is_linearizable() {
        run(Duration.ofMillis(300), 40, item -> item.attempts() > 4 ? Decision.COMPLETE : Decision.atRandom());
        assertThat(history.retries()).isNotEmpty();
        assertThat(againAfterExpiry()).isPositive();
    }

    private static boolean chance(int percent) {
        return ThreadLocalRandom.current().nextInt(100) < percent;
    }

    /** How many leases followed on one that had been let lapse. */
    private long againAfterExpiry() {
        long again = history.leases().stream()
                .flatMap(lease -> lease.items().stream())
                .filter(item -> item.attempts() > 1)
                .count();
        return again - history.retries().size();
    }

    private void run(Duration leaseTimeout, int itemsPerProducer, Decides decides) {
        history = new QueueHistory(leaseTimeout);
        ItemQueue queue = newQueue(config -> config.leaseTimeout(leaseTimeout));
        nodes = List.of(queue, anotherNode().queue(queue.name()));
        List<CompletableFuture<Boolean>> all = new ArrayList<>();
        IntStream.range(0, PRODUCERS)
                .forEach(i -> all.add(inBackground(() -> produceAll(nodes.get(i % 2), i, itemsPerProducer))));
        IntStream.range(0, CONSUMERS)
                .forEach(i -> all.add(
                        inBackground(() -> consumeAll(nodes.get(i % 2), PRODUCERS * itemsPerProducer, decides))));
        all.forEach(one -> inTime(ALL, one));
        history.left(texts(stored(queue)));

        assertThat(history.left()).isEmpty();
        assertThat(history.violations()).isEmpty();
    }

    private boolean produceAll(ItemQueue queue, int producer, int count) {
        for (int next = 0; next < count; ) {
            int batch = Math.min(count - next, 1 + ThreadLocalRandom.current().nextInt(3));
            List<String> items = IntStream.range(next, next + batch)
                    .mapToObj(i -> String.format("%d-%03d", producer, i))
                    .toList();
            long invoked = System.nanoTime();
            produce(queue, items.toArray(String[]::new));
            history.produced(Span.since(invoked), items);
            next += batch;
        }
        return true;
    }

    private boolean consumeAll(ItemQueue queue, int count, Decides decides) {
        while (completed.size() < count) {
            int batchSize = 1 + ThreadLocalRandom.current().nextInt(4);
            long invoked = System.nanoTime();
            List<LeasedItem> items =
                    queue.lease(request(batchSize).timeout(BRIEFLY)).items();
            history.leased(Span.since(invoked), items);
            for (LeasedItem item : items) {
                settle(queue, item, decides.decide(item));
            }
        }
        return true;
    }

    private void settle(ItemQueue queue, LeasedItem item, Decision decision) {
        long invoked = System.nanoTime();
        try {
            if (decision == Decision.COMPLETE) {
                queue.complete(0, List.of(item.id()));
                history.completed(Span.since(invoked), item);
                completed.add(item.text());
            } else if (decision == Decision.RETRY) {
                queue.retry(0, List.of(RetryItem.now(item.id())));
                history.retried(Span.since(invoked), item);
            }
        } catch (QueueException e) {
            assertThat(e.code()).as(e.getMessage()).isEqualTo(QueueErrorCode.NO_SUCH_ITEM);
            history.refused(Span.since(invoked), item);
        }
    }

    private interface Decides {
        Decision decide(LeasedItem item);
    }

    /** What a consumer does with an item. */
    private enum Decision {
        COMPLETE,
        RETRY,
        LET_LAPSE;

        static Decision atRandom() {
            return values()[ThreadLocalRandom.current().nextInt(values().length)];
        }
    }
}
