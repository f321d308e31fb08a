package dev.leasehold.queue.internal.dispatch;

import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedItem;
import java.util.ArrayList;
import java.util.List;

/** A lease request that waits for its answer. Only the {@link Dispatcher} changes its state. */
public class WaitingConsumer {
    private final LeaseRequest request;
    private final List<LeasedItem> share = new ArrayList<>();

    /** Whether the store is or was asked on its behalf. */
    boolean asked;

    /** Whether the store has been asked, and had nothing for it. */
    boolean parked;

    /** Whether a lease that includes it is under way. */
    boolean leasing;

    /** Whether it was answered or cancelled: it takes no more items. */
    boolean gone;

    /** It is not answered with "nothing" before all questions up to this one have been answered. */
    long awaits;

    /** Whether its time is over and all that was to be awaited has been answered: it takes only what is known to be ready. */
    boolean leaving;

    /** In how many more leases it takes part once it is leaving. */
    int chances;

    public WaitingConsumer(LeaseRequest request) {
        this.request = request;
    }

    public final LeaseRequest request() {
        return request;
    }

    /** The store is asked on its behalf, by this question, unless it was asked before. */
    void asked(long question) {
        awaits = asked ? awaits : question;
        asked = true;
    }

    /** All that it awaited has been answered. With other nodes in its way it could lease in vain forever, so its leases are counted. */
    void leaveSoon(int partitions) {
        chances = leaving ? chances : partitions;
        leaving = true;
    }

    /** A lease that includes it begins. */
    void takeChance() {
        chances -= leaving ? 1 : 0;
    }

    /** A lease that included it found the record to be old: it takes part in the one that follows. */
    void leaseAgain(long question) {
        awaits = Math.max(awaits, question);
        chances += leaving ? 1 : 0;
    }

    /** Whether a lease may include it; {@code isKnown} if something is known to be ready there. */
    boolean mayLease(boolean isKnown) {
        return !leaving || (isKnown && chances > 0);
    }

    boolean wantsMore() {
        return !gone && share.size() < request.batchSize();
    }

    void deal(LeasedItem item) {
        share.add(item);
    }

    boolean hasShare() {
        return !share.isEmpty();
    }

    List<LeasedItem> share() {
        return List.copyOf(share);
    }
}
