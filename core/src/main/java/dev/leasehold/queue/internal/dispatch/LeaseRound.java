package dev.leasehold.queue.internal.dispatch;

import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.spi.PartitionRef;
import java.util.ArrayList;
import java.util.List;

/** One lease at one partition, for all consumers that it can serve. */
public final class LeaseRound {
    private final PartitionRef ref;
    private final List<WaitingConsumer> consumers;
    private final int limit;

    /** The question to the store that this lease is. */
    final long question;

    /** What {@link PartitionState#changes} was when it began. */
    final int changes;

    private boolean ended;

    LeaseRound(PartitionRef ref, List<WaitingConsumer> consumers, long question, int changes) {
        this.ref = ref;
        this.consumers = consumers;
        int wanted = 0;
        for (WaitingConsumer consumer : consumers) {
            wanted += consumer.request().batchSize();
        }
        this.limit = Math.min(Dispatcher.MOST_PER_LEASE, wanted);
        this.question = question;
        this.changes = changes;
    }

    public PartitionRef ref() {
        return ref;
    }

    /** How many items to lease at most. */
    public int limit() {
        return limit;
    }

    List<WaitingConsumer> consumers() {
        return consumers;
    }

    /** Those who were dealt something. */
    List<WaitingConsumer> served() {
        List<WaitingConsumer> served = new ArrayList<>();
        for (WaitingConsumer consumer : consumers) {
            if (consumer.hasShare()) {
                served.add(consumer);
            }
        }
        return served;
    }

    /** Ends it; false if it has ended before. */
    boolean end() {
        boolean isFirst = !ended;
        ended = true;
        return isFirst;
    }

    /** Deals items one by one in the order of the consumers; returns those that nobody wants any more. */
    List<LeasedItem> deal(List<LeasedItem> items) {
        List<LeasedItem> left = new ArrayList<>();
        int last = -1;
        for (LeasedItem item : items) {
            last = next(last);
            if (last < 0) {
                left.add(item);
            } else {
                consumers.get(last).deal(item);
            }
        }
        return left;
    }

    /** The next consumer after {@code last} that wants more; -1 if there is none. */
    private int next(int last) {
        for (int i = 1; i <= consumers.size(); i++) {
            int candidate = (last + i) % consumers.size();
            if (consumers.get(candidate).wantsMore()) {
                return candidate;
            }
        }
        return -1;
    }
}
