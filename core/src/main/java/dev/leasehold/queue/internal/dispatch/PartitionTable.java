package dev.leasehold.queue.internal.dispatch;

import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.QueueRecord;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The partitions of a queue: the record, what is known of each, and which stores are failing. */
final class PartitionTable implements Iterable<PartitionState> {
    private final List<PartitionState> partitions = new ArrayList<>();
    private QueueRecord record;
    private Map<String, QueueException> failingStores = Map.of();

    PartitionTable(QueueRecord record) {
        this.record = record;
        learn(record);
    }

    void learn(QueueRecord newer) {
        record = newer.version() > record.version() ? newer : record;
        while (partitions.size() < record.stores().size()) {
            partitions.add(new PartitionState(partitions.size()));
        }
    }

    void storesFailing(Map<String, QueueException> failing) {
        failingStores = failing;
    }

    QueueRecord record() {
        return record;
    }

    PartitionRef ref(PartitionState partition) {
        return record.partition(partition.number);
    }

    int size() {
        return partitions.size();
    }

    boolean contains(int number) {
        return number < partitions.size();
    }

    PartitionState get(int number) {
        return partitions.get(number);
    }

    PartitionState get(PartitionRef ref) {
        return partitions.get(ref.number());
    }

    @Override
    public Iterator<PartitionState> iterator() {
        return partitions.iterator();
    }

    List<PartitionState> in(String store) {
        List<PartitionState> found = new ArrayList<>();
        for (PartitionState partition : partitions) {
            if (storeOf(partition).equals(store)) {
                found.add(partition);
            }
        }
        return found;
    }

    /** The one with the most ready items of those that pass, have room for another lease, and whose store is not failing. */
    @Nullable PartitionState fullest(Predicate<PartitionState> isWorthIt) {
        PartitionState best = null;
        for (PartitionState partition : partitions) {
            boolean isBetter = best == null || partition.ready() > best.ready();
            if (isBetter && partition.hasRoomForLease() && !isFailing(partition) && isWorthIt.test(partition)) {
                best = partition;
            }
        }
        return best;
    }

    /** The one with the fewest ready items of those that take new ones and whose store is not failing. */
    PartitionState emptiest() {
        PartitionState best = null;
        int count = Math.min(partitions.size(), record.info().config().partitions());
        for (PartitionState partition : partitions.subList(0, count)) {
            if ((best == null || partition.ready() < best.ready()) && !isFailing(partition)) {
                best = partition;
            }
        }
        if (best == null) {
            throw Dispatcher.unavailable(0, failingStores.get(storeOf(partitions.get(0))));
        }
        return best;
    }

    /** Why "there is nothing" would not be certain; null if it is. */
    @Nullable QueueException unavailable() {
        for (PartitionState partition : partitions) {
            QueueException failure = failingStores.get(storeOf(partition));
            if (failure != null || partition.unsure != null) {
                return Dispatcher.unavailable(partition.number, failure != null ? failure : partition.unsure);
            }
        }
        return null;
    }

    boolean isLeasing() {
        for (PartitionState partition : partitions) {
            if (partition.isLeasing()) {
                return true;
            }
        }
        return false;
    }

    /** Whether a lease is under way that may leave something. */
    boolean isLeasingKnownItems() {
        for (PartitionState partition : partitions) {
            if (partition.isLeasing() && partition.ready() > 0) {
                return true;
            }
        }
        return false;
    }

    /** About how many items are ready. */
    long ready() {
        long ready = 0;
        for (PartitionState partition : partitions) {
            ready += partition.ready();
        }
        return ready;
    }

    private boolean isFailing(PartitionState partition) {
        return failingStores.containsKey(storeOf(partition));
    }

    private String storeOf(PartitionState partition) {
        return record.stores().get(partition.number);
    }
}
