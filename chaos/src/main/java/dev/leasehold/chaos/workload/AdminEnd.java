package dev.leasehold.chaos.workload;

import dev.leasehold.chaos.check.Violation;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.admin.ClearRequest;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.RetryItem;
import dev.leasehold.testkit.process.HarnessException;
import dev.leasehold.testkit.process.Polling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What becomes of the administered queues when all is over: those that are left must still serve, and all can be deleted. None of it
 * is in the history.
 */
final class AdminEnd {
    private static final String PROBE = "probe";

    private final Queues queues;
    private final Duration limit;

    /** @param limit how long a queue may take to do what it is asked for, and to end a lease */
    AdminEnd(Queues queues, Duration limit) {
        this.queues = queues;
        this.limit = limit;
    }

    /** Clears every queue, has it take an item, lease it, retry it, lease it again, and see that this lease ends. */
    List<Violation> checkServing(List<QueueInfo> infos) {
        List<Violation> found = new ArrayList<>();
        List<String> probed = new ArrayList<>();
        for (QueueInfo info : infos) {
            try {
                probe(queues.queue(info.name()));
                probed.add(info.name());
            } catch (QueueException | HarnessException e) {
                found.add(violation("queue '" + info.name() + "' does not serve: " + e.getMessage()));
            }
        }
        awaitEndOfLeases(probed).ifPresent(found::add);
        return found;
    }

    private void probe(ItemQueue queue) {
        queue.admin().clear(new ClearRequest(true, true, true));
        queue.produce(NewItem.of(PROBE));
        Leased first = lease(queue, 1);
        queue.retry(first.partition, List.of(RetryItem.now(first.id)));
        lease(queue, 2);
    }

    private record Leased(int partition, ItemId id) {}

    /** Leases the item, whatever dead letters there are beside it. */
    private Leased lease(ItemQueue queue, int attempt) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < limit.toNanos()) {
            LeasedBatch batch = queue.lease(LeaseRequest.of("harness", 1).timeout(Duration.ofSeconds(1)));
            for (LeasedItem item : batch.items()) {
                if (item.text().equals(PROBE) && item.attempts() == attempt) {
                    return new Leased(batch.partition(), item.id());
                }
            }
        }
        throw new HarnessException("an item was not leased as attempt " + attempt + " within " + limit);
    }

    private Optional<Violation> awaitEndOfLeases(List<String> names) {
        try {
            Polling.await(
                    "the end of the last leases", limit, () -> names.stream().noneMatch(this::hasLeases));
            return Optional.empty();
        } catch (HarnessException e) {
            return Optional.of(violation(
                    "leases of " + names.stream().filter(this::hasLeases).toList() + " did not end within " + limit));
        }
    }

    private boolean hasLeases(String name) {
        return queues.queue(name).admin().stats().partitions().stream().anyMatch(part -> part.totalLeased() > 0);
    }

    /** Deletes them all; those first that name another. */
    List<Violation> delete(List<QueueInfo> infos) {
        List<Violation> found = new ArrayList<>();
        infos.stream()
                .map(QueueInfo::config)
                .sorted(Comparator.comparing(config -> !config.hasDeadQueue()))
                .map(QueueConfig::name)
                .forEach(name -> delete(name).ifPresent(found::add));
        return found;
    }

    private Optional<Violation> delete(String name) {
        try {
            queues.delete(name);
            return Optional.empty();
        } catch (QueueException e) {
            return e.code() == QueueErrorCode.NO_SUCH_QUEUE
                    ? Optional.empty() // an unfinished delete of before was finished
                    : Optional.of(violation("queue '" + name + "' cannot be deleted: " + e.getMessage()));
        }
    }

    private static Violation violation(String sentence) {
        return new Violation("Serving", sentence, List.of());
    }
}
