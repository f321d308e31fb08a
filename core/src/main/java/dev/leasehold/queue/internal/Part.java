package dev.leasehold.queue.internal;

import dev.leasehold.queue.QueueException;
import org.jspecify.annotations.Nullable;

/** What this node knows of a partition. Guarded by the monitor of its queue. */
final class Part {
    private static final int MOST_LEASES = 2;
    private static final int ENOUGH_FOR_ALL = 2 * LeaseDesk.MOST_PER_ROUND;

    final int number;
    private int ready;
    private int changes;
    private long dueNanos;
    private boolean hasDue;

    /** Why it is not known whether something is here: the store was asked, and could not say. Null if it could. */
    @Nullable QueueException unsure;

    /** How many leases are under way here. */
    private int leases;

    /** How many produces are under way here. */
    private int produces;

    /** Whether the last lease failed, and there has been no news since: another one at once would fail too, and so on without end. */
    private boolean resting;

    /** Whether a sweep is under way here. */
    boolean sweeping;

    /** Whether something became ready here that other nodes have not been told of. */
    private boolean untold;

    Part(int number) {
        this.number = number;
    }

    /** About how many items are ready, as far as this node knows. */
    int ready() {
        return ready;
    }

    /** Counts what happened here; it makes older news old. */
    int changes() {
        return changes;
    }

    void add(int items) {
        changes++;
        ready = Math.max(0, ready + items);
        resting &= items <= 0;
    }

    /** News from others: something is ready. */
    void hint() {
        changes++;
        ready = Math.max(1, ready);
        resting = false;
    }

    /** News from the store, which is of no use if something happened here since it was asked for. */
    void setReady(int items, int askedAtChanges) {
        resting = false;
        if (changes == askedAtChanges) {
            ready = items;
        } else if (items > 0) {
            ready = Math.max(1, ready);
        }
    }

    /** Whether another lease is welcome: a second one only where there is more than enough for both, or it would find nothing. */
    boolean hasRoomForLease() {
        return !resting && (leases == 0 || (leases < MOST_LEASES && ready >= ENOUGH_FOR_ALL));
    }

    boolean isLeasing() {
        return leases > 0;
    }

    /** Whether a count of the store is inexact, because it may or may not contain what is being produced or leased. */
    boolean isChanging() {
        return leases > 0 || produces > 0;
    }

    /** Counts what is being produced, so that the next produce may go elsewhere. */
    void produceBegins(int items) {
        produces++;
        add(items);
    }

    /** Takes the same away again; if it was produced, it is added as what is ready. */
    void produceEnded(int items) {
        produces--;
        add(-items);
    }

    void leaseBegins() {
        leases++;
    }

    void leaseFailed() {
        leases--;
        resting = true;
    }

    /** A lease has ended; it makes older news old. That it found no more says nothing of what has come since. */
    void leaseEnded(int items, boolean drained, int askedAtChanges) {
        leases--;
        if (!drained) {
            ready = Math.max(1, ready - items);
        } else if (changes == askedAtChanges) {
            ready = 0;
        }
        changes++;
    }

    /** Something became ready: whether other nodes are to be told now. If a lease is under way, its end says what is left for them. */
    boolean isToBeTold() {
        untold = leases > 0;
        return leases == 0 && ready > 0;
    }

    /** The same at the end of a lease. */
    boolean isLeftToBeTold() {
        boolean tell = untold && ready > 0;
        untold = false;
        return tell;
    }

    /** Something is due at a time. */
    void due(long nanos) {
        dueNanos = hasDue && dueNanos - nanos < 0 ? dueNanos : nanos;
        hasDue = true;
    }

    boolean isDue(long now) {
        return hasDue && now - dueNanos >= 0;
    }

    void clearDue() {
        hasDue = false;
    }
}
