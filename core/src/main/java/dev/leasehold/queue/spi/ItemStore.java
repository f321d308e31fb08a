package dev.leasehold.queue.spi;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.admin.ClearRequest;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.RetryItem;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A place where partitions lie, and every transition that an item can make there.
 *
 * <p>Each call is one attempt, atomic, durable when its future completes, and decided by the store's clock. It fails with a
 * {@link dev.leasehold.queue.QueueException}, with a {@link StaleQueueException} if the queue is not as the caller knew it.
 * Cancelling the future of a call that has not been sent withdraws it.
 */
public interface ItemStore extends AutoCloseable {
    /** Appends items, all or none, and returns their ids. Refuses those that would expire before they are ready, unless lenient. */
    CompletableFuture<List<ItemId>> produce(PartitionRef partition, List<NewItem> items);

    /** Leases ready items from the head, as many as the portion has room for, and one at least. */
    CompletableFuture<Leased> lease(PartitionRef partition, Portion portion);

    /** Deletes leased items, all or none. */
    CompletableFuture<Void> complete(PartitionRef partition, List<ItemId> ids);

    /**
     * Retries leased items, all or none. {@code dead} is the dead queue. If it is null although the queue names one, that one is not
     * there: what should become a dead letter stays leased until its lease ends.
     */
    CompletableFuture<Retried> retry(PartitionRef partition, @Nullable PartitionRef dead, List<RetryItem> items);

    /** Extends the leases of items, all or none. */
    CompletableFuture<Instant> extend(PartitionRef partition, List<ItemId> ids, Duration leaseTimeout);

    /** Undoes the lease of those items that are still leased under these ids: each stays in its place, under a new id. */
    CompletableFuture<Void> giveBack(PartitionRef partition, List<ItemId> ids);

    /**
     * Items from {@code pivot} on, the scheduled ones or the others: as many as the portion has room for, and two at least, so that
     * the last one is a pivot that leads on.
     */
    CompletableFuture<List<StoredItem>> list(
            PartitionRef partition, boolean scheduled, @Nullable ItemId pivot, Portion portion);

    /** Puts items into a partition as they are, under new ids; one whose source id is there already is left out. */
    CompletableFuture<List<StoredItem>> importItems(PartitionRef partition, List<StoredItem> items);

    /** Deletes items, leased or not. */
    CompletableFuture<Void> delete(PartitionRef partition, List<ItemId> ids);

    /** Deletes all items that the request is about. */
    CompletableFuture<Void> clear(PartitionRef partition, ClearRequest request);

    /** Counts what is in a partition. */
    CompletableFuture<Counts> count(PartitionRef partition);

    /** How partitions of this store stand, in the order of the question. */
    CompletableFuture<List<Outlook>> look(List<PartitionRef> partitions);

    /**
     * Carries out what is due, up to some hundred items: scheduled items become ready at the tail; leases that have ended are
     * retried at the tail, or go to {@code dead} if the item has had its attempts or its time; items whose time is over go to
     * {@code dead}. Null: there is no dead queue, they are deleted; if the queue names one all the same, it is not there, and they stay
     * where they are until it is. Items that another call has locked are left to it.
     */
    CompletableFuture<Swept> sweep(PartitionRef partition, @Nullable PartitionRef dead);

    /** Notifies other nodes that something became ready in partitions. A notification is a hint, and may be lost. */
    void publish(List<PartitionRef> partitions);

    /** Somebody here waits for items: listens to the notifications of other nodes for a while. */
    default void listen() {}

    /** The queue of a partition is gone: what this node keeps for it is not needed any more. */
    default void forget(PartitionRef partition) {}

    /** Registers a listener for the notifications of other nodes. */
    void subscribe(ReadyListener listener);

    /** This store for callers that block for each answer: it may do the work in their thread. */
    default ItemStore blocking() {
        return this;
    }

    @Override
    void close();

    /** Is notified when something became ready. */
    @FunctionalInterface
    interface ReadyListener {
        /** Something may be ready in a partition of the queue with this number. */
        void onReady(long uid, int partition);

        /** Notifications may have been missed. */
        default void onMissed() {}

        /** A retry or sweep was carried out although its caller had got a failure. */
        default void onLateResult(PartitionRef partition, @Nullable PartitionRef dead, Swept done) {}
    }

    /**
     * What a lease brought.
     *
     * @param items leased items, in their order
     * @param nextDue how long until the next deadline, if no items were ready; null if there is no deadline
     * @param hasSkipped whether it left out ready items that somebody else had locked just then
     * @param isCut whether more items are ready for which the portion had no room
     */
    record Leased(List<LeasedItem> items, @Nullable Duration nextDue, boolean hasSkipped, boolean isCut) {
        public static final Leased NOTHING = new Leased(List.of(), null, false, false);
    }

    /**
     * What a retry did.
     *
     * @param ready how many items are ready now
     * @param dead how many went to the dead queue
     * @param discarded what was deleted and has left no dead letter
     * @param nextDue how long until the first of those that were scheduled; null if none was
     */
    record Retried(
            int ready,
            int dead,
            Discarded discarded,
            @Nullable Duration nextDue) {
        public Retried {
            notNegative("ready", ready);
            notNegative("dead", dead);
        }
    }

    /**
     * What a sweep did.
     *
     * @param ready how many items became ready
     * @param dead how many went to the dead queue
     * @param discarded what was deleted and has left no dead letter
     * @param nextDue how long until the next deadline, zero if more is due now; null if there is no deadline
     */
    record Swept(
            int ready,
            int dead,
            Discarded discarded,
            @Nullable Duration nextDue) {
        public Swept {
            notNegative("ready", ready);
            notNegative("dead", dead);
        }
    }

    /**
     * How many items were deleted although nobody has completed them.
     *
     * @param expired because their time was over
     * @param exhausted because they had had their attempts
     * @param rejected because they were retried as dead
     * @param duplicates because the dead queue had their dead letters already
     */
    record Discarded(int expired, int exhausted, int rejected, int duplicates) {
        public static final Discarded NOTHING = new Discarded(0, 0, 0, 0);

        public Discarded {
            notNegative("expired", expired);
            notNegative("exhausted", exhausted);
            notNegative("rejected", rejected);
            notNegative("duplicates", duplicates);
        }

        /** How many in all. */
        public int total() {
            return expired + exhausted + rejected + duplicates;
        }

        /** For want of a dead queue. */
        public Discarded(int expired, int exhausted, int rejected) {
            this(expired, exhausted, rejected, 0);
        }

        /** So many whose dead letters were there already. */
        public static Discarded duplicates(int count) {
            return new Discarded(0, 0, 0, count);
        }
    }

    private static void notNegative(String what, int count) {
        if (count < 0) {
            throw new IllegalArgumentException(what + " cannot be negative, got " + count);
        }
    }

    /**
     * How a partition stands.
     *
     * @param ready how many items are ready, counted up to some bound
     * @param nextDue how long until the next deadline, zero if something is due; null if there is no deadline
     */
    record Outlook(int ready, @Nullable Duration nextDue) {}

    /**
     * Exact counts, for people.
     *
     * @param oldestReady the age of the oldest item that is ready; null if there is none
     */
    record Counts(
            long total,
            long leased,
            long scheduled,
            Duration averageAge,
            Duration averageLeasedAge,
            @Nullable Duration oldestReady) {}
}
