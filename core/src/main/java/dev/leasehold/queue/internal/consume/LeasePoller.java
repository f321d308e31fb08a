package dev.leasehold.queue.internal.consume;

import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Leases for a consumer: one request at a time waits at the queue, whenever half a batch would find room.
 *
 * <p>Half a batch, because to ask as soon as there is room for one would make every request one for a single item. Handlers
 * do not starve: as long as less than that fits, at least half a batch waits for them.
 */
final class LeasePoller {
    private static final Duration POLL = Duration.ofSeconds(30);
    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(5);

    private final ConsumerScope scope;
    private final Consumer<LeasedBatch> taken;
    private final RetryBackoff backoff;
    private final String clientId = "consumer-" + UUID.randomUUID();
    private @Nullable CompletableFuture<LeasedBatch> underWay;
    private boolean pausing;
    private boolean stopped;

    LeasePoller(ConsumerScope scope, Consumer<LeasedBatch> taken) {
        this.scope = scope;
        this.taken = taken;
        this.backoff = new RetryBackoff("queue=" + scope.queue().name() + " doing=lease", LONGEST_BACKOFF);
    }

    /** Asks for items if there is room for enough of them. */
    void ask(int room) {
        int batchSize = scope.options().batchSize();
        if (underWay == null && !pausing && room >= Math.max(1, batchSize / 2)) {
            LeaseRequest request = new LeaseRequest(clientId, Math.min(batchSize, room), POLL);
            underWay = scope.loop().cancellableCall(() -> scope.queue().leaseAsync(request), this::answered);
        }
    }

    private void answered(@Nullable LeasedBatch batch, @Nullable QueueException why) {
        underWay = null;
        if (batch != null) {
            backoff.over();
            if (!batch.isEmpty()) {
                taken.accept(batch);
            }
        } else if (why != null && !stopped) {
            failed(why);
        }
    }

    private void failed(QueueException why) {
        if (RetryBackoff.isTheEnd(why) || why.code() == QueueErrorCode.INVALID_ARGUMENT) {
            scope.ended().accept(why);
        } else {
            pausing = true;
            scope.loop().after(backoff.failed(why), () -> pausing = false);
        }
    }

    /** Withdraws the request that waits. If its answer is on its way already, it is still going to be taken. */
    void stop() {
        stopped = true;
        if (underWay != null) {
            underWay.cancel(true);
        }
    }

    boolean isUnderWay() {
        return underWay != null;
    }
}
