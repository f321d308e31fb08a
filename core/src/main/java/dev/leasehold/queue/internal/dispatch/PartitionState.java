package dev.leasehold.queue.internal.dispatch;

import dev.leasehold.queue.QueueException;
import org.jspecify.annotations.Nullable;

/** What this node knows of a partition, from its own calls and from looks at the store. */
final class PartitionState {
    private static final int MOST_LEASES = 2;
    private static final int ENOUGH_FOR_TWO_LEASES = 2 * Dispatcher.MOST_PER_LEASE;

    final int number;
    private int ready;
    private int changes;
    private long dueNanos;
    private boolean hasDue;

    /** Why it is not known whether something is here: the last question failed. Null if it did not. */
    @Nullable QueueException unsure;

    /** How many leases are under way here. */
    private int leases;

    /** How many produces are under way here. */
    private int produces;

    /** Whether the last lease failed, and there has been no news since: another one at once would fail too, and so on without end. */
    private boolean resting;

    /** Whether a sweep is under way here. */
    boolean sweeping;

    /** Whether something became ready here that other nodes have not been notified of. */
    private boolean unpublished;

    PartitionState(int number) {
        this.number = number;
    }

    /** About how many items are ready. */
    int ready() {
        return ready;
    }

    /** Counts the changes here. A look is outdated if something changed after it was sent. */
    int changes() {
        return changes;
    }

    /** Items became ready here, or were taken. */
    void add(int items) {
        changes++;
        ready = Math.max(0, ready + items);
        resting &= items <= 0;
    }

    /** Another node says that something is ready. */
    void hint() {
        changes++;
        ready = Math.max(1, ready);
        resting = false;
    }

    /** A lease may be tried again. */
    void wake() {
        resting = false;
    }

    /** A look found so many items. If something changed since it was sent, all that it says is whether there is something. */
    void setReady(int items, int changesWhenSent) {
        resting = false;
        if (changes == changesWhenSent) {
            ready = items;
        } else if (items > 0) {
            ready = Math.max(1, ready);
        }
    }

    /** Whether another lease is welcome: a second one only where there is more than enough for both, or it would find nothing. */
    boolean hasRoomForLease() {
        return !resting && (leases == 0 || (leases < MOST_LEASES && ready >= ENOUGH_FOR_TWO_LEASES));
    }

    boolean isLeasing() {
        return leases > 0;
    }

    /** Whether the count of a look is inexact, because it may or may not contain what is being produced or leased. */
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

    /** A lease has ended. That it found no more says nothing of what has come since it was sent. */
    void leaseEnded(int items, boolean drained, int changesWhenSent) {
        leases--;
        if (!drained) {
            ready = Math.max(1, ready - items);
        } else if (changes == changesWhenSent) {
            ready = 0;
        }
        changes++;
    }

    /** Something became ready: whether to notify other nodes now. If a lease is under way, its end says what is left for them. */
    boolean isToBePublished() {
        unpublished = leases > 0;
        return leases == 0 && ready > 0;
    }

    /** The same at the end of a lease. */
    boolean isLeftToBePublished() {
        boolean publish = unpublished && ready > 0;
        unpublished = false;
        return publish;
    }

    /** Something is due at an instant. */
    void due(long nanos) {
        dueNanos = hasDue && dueNanos - nanos < 0 ? dueNanos : nanos;
        hasDue = true;
    }

    /** Whether to sweep now; if so, a sweep begins. */
    boolean beginSweep(long now) {
        boolean begins = !sweeping && hasDue && now - dueNanos >= 0;
        if (begins) {
            sweeping = true;
            hasDue = false;
        }
        return begins;
    }
}
