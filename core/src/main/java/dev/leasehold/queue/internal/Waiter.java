package dev.leasehold.queue.internal;

import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A lease request on its way to an answer. */
final class Waiter {
    final LeaseRequest request;
    final CompletableFuture<LeasedBatch> answer = new CompletableFuture<>();

    /** Whether the store is or was asked since it came. Guarded by the monitor of the queue. */
    boolean asked;

    /** Whether it has been seen that there was nothing for it. Guarded by the monitor of the queue. */
    boolean parked;

    /** Whether its time is over: it takes what is under way for it, and then leaves. Guarded by the monitor of the queue. */
    boolean leaving;

    private final List<LeasedItem> share = new ArrayList<>();

    Waiter(LeaseRequest request) {
        this.request = request;
    }

    boolean isOver() {
        return answer.isDone();
    }

    boolean wantsMore() {
        return !isOver() && share.size() < request.batchSize();
    }

    void deal(LeasedItem item) {
        share.add(item);
    }

    boolean hasShare() {
        return !share.isEmpty();
    }

    /** Answers with what it was dealt; returns what it would not take because it has gone. */
    List<LeasedItem> takeShare(String queue, int partition) {
        List<LeasedItem> mine = List.copyOf(share);
        share.clear();
        return answer.complete(new LeasedBatch(queue, partition, mine)) ? List.of() : mine;
    }
}
