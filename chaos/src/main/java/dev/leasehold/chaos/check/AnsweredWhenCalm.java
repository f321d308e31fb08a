package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.Facts;
import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * While nothing goes wrong every call on a lock is answered: it does not fail where it should have been told that the key is locked, or
 * that the grant is gone.
 *
 * <p>Faults are excepted, and the time of recovery after each. So are calls that their caller has cancelled, or
 * given too little time.
 */
final class AnsweredWhenCalm implements Invariant {
    private final long recoveryNanos;

    AnsweredWhenCalm(long recoveryNanos) {
        this.recoveryNanos = recoveryNanos;
    }

    @Override
    public List<Violation> check(Calls calls) {
        Calm calm = Calm.of(calls, recoveryNanos);
        Set<String> told = new HashSet<>();
        return calls.of(Operation.ACQUIRE, Operation.EXTEND, Operation.RELEASE)
                .filter(call -> !Facts.IMPATIENT.equals(call.invoke().facts().note())
                        && isFailure(call.end(), call.began(), calm))
                .filter(call -> told.add(call.operation() + call.subject()))
                .map(call -> violation(
                        call.operation() + " of '" + call.subject() + "' by "
                                + call.invoke().worker() + " failed, although nothing was wrong",
                        call))
                .toList();
    }

    private static boolean isFailure(@Nullable Event end, long began, Calm calm) {
        return end != null
                && end.kind() == Kind.UNKNOWN
                && !end.facts().isCancelled()
                && calm.isThroughout(began, end.nanos());
    }
}
