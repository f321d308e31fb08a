package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.Operation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A lease call without a result that is known, and until when it may have kept others from items.
 *
 * <p>If it was committed, the item shows it: a give-back changes the id, the end of a lease the attempts. Without that trace only a
 * transaction that was rolled back can have locked the item, and transactions are rolled back by faults.
 *
 * @param heldUntil when the items that it may have leased were given back at the latest
 * @param lockedUntil when its transaction was rolled back at the latest; if there was no fault, that cannot have been
 */
record LeaseInDoubt(long from, long heldUntil, long lockedUntil) {
    /** How long a lease that failed may have its hands on an item afterwards: until its transaction has ended, or it was given back. */
    private static final long LINGER_NANOS = 10_000_000_000L;

    /** How long after a fault its last transactions are rolled back, and calls fail because of it. */
    private static final long AFTERMATH_NANOS = 3_000_000_000L;

    /** Those of one queue. */
    static List<LeaseInDoubt> of(Calls calls, String queue) {
        List<Call> doubtful = calls.items().doubtfulLeases(queue);
        if (doubtful.isEmpty()) {
            return List.of();
        }
        List<Call> faults = calls.of(Operation.FAULT).toList();
        Map<String, Long> lastHeard = new HashMap<>();
        calls.all().forEach(call -> lastHeard.merge(call.invoke().node(), call.began(), Math::max));
        return doubtful.stream().map(call -> of(call, lastHeard, faults)).toList();
    }

    private static LeaseInDoubt of(Call lease, Map<String, Long> lastHeard, List<Call> faults) {
        Event end = lease.end();
        long over = end != null
                ? end.nanos()
                : lastHeard.getOrDefault(lease.invoke().node(), lease.began());
        long locked = faults.stream()
                .filter(fault -> fault.began() <= over && aftermath(fault) >= lease.began())
                .mapToLong(fault -> Math.max(over, aftermath(fault)))
                .max()
                .orElse(Long.MIN_VALUE);
        return new LeaseInDoubt(lease.began(), over + LINGER_NANOS, locked);
    }

    private static long aftermath(Call fault) {
        return fault.done() == Long.MAX_VALUE ? Long.MAX_VALUE : fault.done() + AFTERMATH_NANOS;
    }

    /**
     * Whether it may be why another lease passed an item over.
     *
     * @param mayHaveBeenHeld whether the item may have been leased in vain since it was ready
     */
    boolean mayExplain(Call passing, boolean mayHaveBeenHeld) {
        long until = mayHaveBeenHeld ? Math.max(heldUntil, lockedUntil) : lockedUntil;
        return from < passing.done() && until > passing.began();
    }
}
