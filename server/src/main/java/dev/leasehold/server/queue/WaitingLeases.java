package dev.leasehold.server.queue;

import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.spi.Futures;
import dev.leasehold.wire.QueueLeaseRequest;
import dev.leasehold.wire.QueueWithdrawRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The lease requests that wait at this server, by queue and client id, so that a client can withdraw one and still read its response. */
final class WaitingLeases {
    private final Map<Key, List<CompletableFuture<LeasedBatch>>> leases = new HashMap<>();

    private record Key(String queue, String clientId) {}

    CompletableFuture<LeasedBatch> watch(QueueLeaseRequest wish, CompletableFuture<LeasedBatch> lease) {
        if (!lease.isDone()) {
            Key key = new Key(wish.getQueueName(), wish.getClientId());
            add(key, lease);
            Futures.whenDone(lease, (batch, failure) -> remove(key, lease));
        }
        return lease;
    }

    private synchronized void add(Key key, CompletableFuture<LeasedBatch> lease) {
        leases.computeIfAbsent(key, k -> new ArrayList<>()).add(lease);
    }

    private synchronized void remove(Key key, CompletableFuture<LeasedBatch> lease) {
        leases.computeIfPresent(key, (k, all) -> all.removeIf(other -> other == lease) && all.isEmpty() ? null : all);
    }

    /** Cancels them: items that were leased for them are given back, unless the response is being written already. */
    void withdraw(QueueWithdrawRequest wish) {
        waiting(new Key(wish.getQueueName(), wish.getClientId())).forEach(lease -> lease.cancel(true));
    }

    private synchronized List<CompletableFuture<LeasedBatch>> waiting(Key key) {
        return List.copyOf(leases.getOrDefault(key, List.of()));
    }
}
