package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Operation;
import java.util.List;

/** When nothing went wrong: outside of faults, and of some time after each. */
record Calm(List<Call> faults, long recoveryNanos) {
    static Calm of(Calls calls, long recoveryNanos) {
        return new Calm(calls.of(Operation.FAULT).toList(), recoveryNanos);
    }

    /** Whether all of this time was calm. */
    boolean isThroughout(long from, long to) {
        return faults.stream().noneMatch(fault -> fault.began() <= to && over(fault) > from);
    }

    /** How much of this time was calm. Two faults at once count once. */
    long nanos(long from, long to) {
        long calm = 0;
        long at = from;
        for (Call fault : faults) { // in the order in which they began
            calm += Math.max(0, Math.min(to, fault.began()) - at);
            at = Math.max(at, over(fault));
        }
        return calm + Math.max(0, to - at);
    }

    /** The longest calm without interruption in this time. */
    long longestNanos(long from, long to) {
        long longest = 0;
        long at = from;
        for (Call fault : faults) {
            longest = Math.max(longest, Math.min(to, fault.began()) - at);
            at = Math.max(at, over(fault));
        }
        return Math.max(longest, to - at);
    }

    private long over(Call fault) {
        return fault.done() == Long.MAX_VALUE ? Long.MAX_VALUE : fault.done() + recoveryNanos;
    }
}
