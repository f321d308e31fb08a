package dev.leasehold.queue.internal.consume;

import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.admin.QueueLimits;
import dev.leasehold.queue.item.LeasedBatch;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The items that a consumer holds. An item is
 *
 * <ol>
 *   <li>unfinished from when it was leased until its handler has returned;
 *   <li>then unsettled until the store has said that it is settled;
 *   <li>over when that is so, or as soon as its lease is lost.
 * </ol>
 */
final class HeldItems {
    private static final Logger log = LoggerFactory.getLogger(HeldItems.class);

    private final ConsumerScope scope;
    private final Map<Integer, LeaseExtender> extenders = new HashMap<>();
    private final Map<Settlement, Map<Integer, SettlementLine>> lines = new EnumMap<>(Settlement.class);
    private int unfinished;
    private int unsettled;

    HeldItems(ConsumerScope scope) {
        this.scope = scope;
    }

    /** Takes a batch in. */
    List<HeldItem> take(LeasedBatch batch) {
        List<HeldItem> taken = batch.items().stream()
                .map(leased -> new HeldItem(batch.partition(), leased))
                .toList();
        extender(batch.partition()).add(taken);
        unfinished += taken.size();
        return taken;
    }

    /** Handlers have returned, or will not be called; the items are settled so, unless their lease is lost. */
    void finished(List<HeldItem> items, Settlement settlement) {
        Set<SettlementLine> stirred = new LinkedHashSet<>();
        for (HeldItem item : items) {
            unfinished--;
            if (!item.isOver()) {
                item.finish();
                unsettled++;
                SettlementLine line = line(settlement, item.partition());
                line.add(item);
                stirred.add(line);
            }
        }
        stirred.forEach(SettlementLine::send);
    }

    /** A handler has completed an item in its own transaction. */
    void finishedAndSettled(HeldItem item) {
        unfinished--;
        settled(item);
    }

    /** The store has settled it. */
    void settled(HeldItem item) {
        if (!item.isOver()) {
            item.end();
            extender(item.partition()).remove(item);
            unsettled -= item.isFinished() ? 1 : 0;
        }
    }

    /** Its lease is lost; what its handler does counts no more. After an unknown outcome it is gone because it was settled. */
    void lost(HeldItem item, QueueException why) {
        boolean isNews = !item.isOver() && !item.unknown;
        settled(item); // before it is told: from then on no handler begins with it
        if (isNews) {
            log.warn(
                    "event=lease_lost queue={} partition={} attempts={} code={}",
                    scope.queue().name(),
                    item.partition(),
                    item.leased().attempts(),
                    why.code());
        }
    }

    /** The queue takes no more calls: what was to be settled never will be. */
    void abandoned(List<HeldItem> items, QueueException why) {
        log.warn(
                "event=items_unsettled queue={} items={} code={}", scope.queue().name(), items.size(), why.code());
        items.forEach(this::settled);
    }

    /** How many more may be leased. What waits to be settled is bounded too: a store may lease and yet not complete. */
    int room() {
        int most = scope.options().concurrency() * scope.turnSize()
                + scope.options().batchSize();
        return Math.min(most - unfinished, QueueLimits.MAX_BATCH - unsettled);
    }

    int unfinished() {
        return unfinished;
    }

    int unsettled() {
        return unsettled;
    }

    private LeaseExtender extender(int partition) {
        return extenders.computeIfAbsent(partition, number -> new LeaseExtender(scope, number, this::lost));
    }

    private SettlementLine line(Settlement settlement, int partition) {
        return lines.computeIfAbsent(settlement, its -> new HashMap<>())
                .computeIfAbsent(partition, number -> new SettlementLine(scope, this, number, settlement));
    }
}
