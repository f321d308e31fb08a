package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Facts;
import dev.leasehold.chaos.history.Operation;
import java.util.List;

/**
 * A lock that renews itself is kept as long as the store can be reached, and whoever loses it is told. So it is not lost if, within the
 * ttl before that, there was a calm that was long enough for a renewal: one is due every third of the ttl.
 *
 * <p>Faults are excepted, and the time of recovery after each.
 */
final class LocksKept implements Invariant {
    /** A renewal that is due when the calm begins fails at worst, and is sent once more. */
    private static final long RENEWAL = 2 * 5_000_000_000L;

    private final long recoveryNanos;

    LocksKept(long recoveryNanos) {
        this.recoveryNanos = recoveryNanos;
    }

    @Override
    public List<Violation> check(Calls calls) {
        Calm calm = Calm.of(calls, recoveryNanos);
        return calls.of(Operation.LOST)
                .filter(lost -> isUntold(lost) || isRenewable(lost, calm))
                .map(lost -> violation(
                        "lock '" + lost.subject() + "' was lost, "
                                + (isUntold(lost) ? "and its holder was not told" : "although it could be renewed"),
                        lost))
                .toList();
    }

    private static boolean isUntold(Call lost) {
        return Facts.UNTOLD.equals(lost.invoke().facts().note());
    }

    private static boolean isRenewable(Call lost, Calm calm) {
        Long ttl = lost.invoke().facts().lastsNanos();
        return ttl != null && calm.longestNanos(lost.began() - ttl, lost.began()) > ttl / 3 + RENEWAL;
    }
}
