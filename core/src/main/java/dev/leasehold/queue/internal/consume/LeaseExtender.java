package dev.leasehold.queue.internal.consume;

import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.admin.QueueLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Extends the leases of what a consumer holds of one partition, all together, every third of the lease timeout.
 *
 * <p>The interval is measured here and the new deadline is the store's business, so a wrong clock does no harm.
 */
final class LeaseExtender implements SplitCall.Report {
    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(1);

    private final ConsumerScope scope;
    private final int partition;
    private final BiConsumer<HeldItem, QueueException> lost;
    private final RetryBackoff backoff;
    private final Set<HeldItem> items = new LinkedHashSet<>();
    private @Nullable Future<?> beat;
    private long beatAtNanos;

    LeaseExtender(ConsumerScope scope, int partition, BiConsumer<HeldItem, QueueException> lost) {
        this.scope = scope;
        this.partition = partition;
        this.lost = lost;
        this.backoff = new RetryBackoff(
                "queue=" + scope.queue().name() + " partition=" + partition + " doing=extend", LONGEST_BACKOFF);
    }

    /** Keeps more items. The lease timeout may have become shorter since the next beat was set. */
    void add(List<HeldItem> more) {
        items.addAll(more);
        beatWithin(scope.extendIntervalNanos());
    }

    void remove(HeldItem item) {
        items.remove(item);
    }

    private void beatWithin(long nanos) {
        long at = System.nanoTime() + nanos;
        if (beat == null || at - beatAtNanos < 0) {
            if (beat != null) {
                beat.cancel(false);
            }
            beatAtNanos = at;
            beat = scope.loop().schedule(nanos, this::beat);
        }
    }

    private void beat() {
        beat = null;
        if (items.isEmpty()) {
            return;
        }
        long interval = scope.extendIntervalNanos();
        long now = System.nanoTime();
        List<HeldItem> due = items.stream()
                .filter(item -> item.isToBeExtended(now, interval))
                .toList();
        for (int i = 0; i < due.size(); i += QueueLimits.MAX_BATCH) {
            extend(due.subList(i, Math.min(due.size(), i + QueueLimits.MAX_BATCH)));
        }
        beatWithin(interval);
    }

    private void extend(List<HeldItem> due) {
        due.forEach(item -> item.extending = true);
        SplitCall.send(scope.loop(), due, this::extendTogether, this);
    }

    private CompletableFuture<Instant> extendTogether(List<HeldItem> some) {
        return scope.queue()
                .extendAsync(partition, Settlement.ids(some), Duration.ZERO)
                .thenApply(until -> {
                    some.forEach(item -> item.extended(until));
                    return until;
                });
    }

    @Override
    public void done(List<HeldItem> extended) {
        extended.forEach(item -> item.extending = false);
    }

    /** While a call that settles the item is under way that call will tell: the item may be gone because of it. */
    @Override
    public void refused(HeldItem item, QueueException why) {
        item.extending = false;
        if (!item.settling) {
            lost.accept(item, why);
        }
    }

    @Override
    public void failed(List<HeldItem> notExtended, QueueException why) {
        notExtended.forEach(item -> item.extending = false);
        if (RetryBackoff.isTheEnd(why)) {
            scope.ended().accept(why);
        }
    }

    @Override
    public void over(@Nullable QueueException why) {
        if (why == null) {
            backoff.over();
        } else if (!RetryBackoff.isTheEnd(why)) {
            beatWithin(backoff.failed(why));
        }
    }
}
