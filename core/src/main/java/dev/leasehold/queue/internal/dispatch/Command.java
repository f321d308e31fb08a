package dev.leasehold.queue.internal.dispatch;

import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.spi.PartitionRef;
import java.util.List;
import java.util.Set;

/** What the {@link Dispatcher} wants done. Commands are run in their order, without any lock, and results come back as events. */
@FunctionalInterface
public interface Command {
    void run(Actions actions);

    /** The I/O of a queue, one method for each kind of command. */
    interface Actions {
        /** Leases for all consumers of the round; ends with {@code leaseEnded} or {@code leaseFailed}. */
        void lease(LeaseRound round);

        /** Reads what is ready and due in the partitions of one store; ends with {@code lookEnded} or {@code lookFailed}. */
        void look(Look look);

        /** Carries out what is due; ends with {@code sweepEnded} or {@code sweepFailed}. */
        void sweep(PartitionRef partition);

        /** Reads the record of a queue of which a store says that it has changed; ends with {@code refreshEnded}. */
        void refresh(PartitionRef stale, long question);

        /** Answers a consumer. If it was cancelled a moment ago, {@code refused} returns the items. */
        void answer(WaitingConsumer consumer, LeasedBatch batch);

        void fail(WaitingConsumer consumer, QueueException failure);

        /** Undoes the lease of items; ends with {@code givenBack}. */
        void giveBack(PartitionRef partition, List<LeasedItem> items);

        /** Notifies other nodes that something is ready. */
        void publish(PartitionRef partition);

        /** Listens to the notifications of other nodes for a while. */
        void listen(Set<String> stores);

        /** Sends {@code timeIsOver} when the time of the consumer's request is over. */
        void startTimeout(WaitingConsumer consumer);

        /** Sends {@code hint} after a while. */
        void hintLater(int partition, long nanos);
    }
}
