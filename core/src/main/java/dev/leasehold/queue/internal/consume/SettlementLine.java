package dev.leasehold.queue.internal.consume;

import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.admin.QueueLimits;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The items of one partition that await the same settlement.
 *
 * <p>One call is under way at a time. Who comes alone is sent at once; who comes meanwhile travels together in the next call.
 * While the store is in trouble they all wait and are sent again, for as long as their leases can be extended.
 */
final class SettlementLine implements SplitCall.Report {
    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(1);

    private final ConsumerScope scope;
    private final HeldItems held;
    private final int partition;
    private final Settlement settlement;
    private final RetryBackoff backoff;
    private final Deque<HeldItem> waiting = new ArrayDeque<>();
    private boolean busy;

    SettlementLine(ConsumerScope scope, HeldItems held, int partition, Settlement settlement) {
        this.scope = scope;
        this.held = held;
        this.partition = partition;
        this.settlement = settlement;
        this.backoff = new RetryBackoff(
                "queue=" + scope.queue().name() + " partition=" + partition + " doing="
                        + settlement.name().toLowerCase(Locale.ROOT),
                LONGEST_BACKOFF);
    }

    void add(HeldItem item) {
        waiting.add(item);
    }

    /** Sends what waits, unless a call is under way: then it is sent afterwards. */
    void send() {
        List<HeldItem> items = busy ? List.of() : next();
        if (!items.isEmpty()) {
            busy = true;
            items.forEach(item -> item.settling = true);
            SplitCall.send(scope.loop(), items, some -> settlement.send(scope.queue(), partition, some), this);
        }
    }

    /** The next items, without those whose lease was lost while they waited. */
    private List<HeldItem> next() {
        List<HeldItem> items = new ArrayList<>();
        while (!waiting.isEmpty() && items.size() < QueueLimits.MAX_BATCH) {
            HeldItem item = waiting.remove();
            if (!item.isOver()) {
                items.add(item);
            }
        }
        return items;
    }

    @Override
    public void done(List<HeldItem> items) {
        items.forEach(held::settled);
    }

    @Override
    public void refused(HeldItem item, QueueException why) {
        held.lost(item, why);
    }

    @Override
    public void failed(List<HeldItem> items, QueueException why) {
        if (RetryBackoff.isTheEnd(why)) {
            held.abandoned(items, why);
            scope.ended().accept(why);
            return;
        }
        for (int i = items.size() - 1; i >= 0; i--) {
            HeldItem item = items.get(i);
            item.settling = false;
            item.unknown |= why.code() == QueueErrorCode.NETWORK_TIMEOUT;
            waiting.addFirst(item);
        }
    }

    @Override
    public void over(@Nullable QueueException why) {
        if (why != null && !RetryBackoff.isTheEnd(why)) {
            scope.loop().after(backoff.failed(why), this::goOn);
            return;
        }
        if (why == null) {
            backoff.over();
        }
        goOn();
    }

    private void goOn() {
        busy = false;
        send();
    }
}
