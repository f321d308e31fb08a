package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.History;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Says what in a history no correct engine could have done.
 *
 * <p>It presumes that nanoTime and the store's clock run equally fast, and that nobody sets the latter: where that is the fault, the
 * times of leases prove nothing.
 */
public final class Checker {
    private static final List<Invariant> SAFETY = List.of(
            new OneHolder(),
            new FencesGrow(),
            new NoStaleCommit(),
            new NoCommitLost(),
            new NothingLost(),
            new NothingFromNowhere(),
            new CompletedOnce(),
            new LeasedToOne(),
            new SettledUnderLease(),
            new PartitionOrder(),
            new AttemptsExact(),
            new DeadLettersOnce(),
            new DeadQueueStays(),
            new QueuesAsTold());

    private final List<Invariant> invariants;

    private Checker(List<Invariant> invariants) {
        this.invariants = List.copyOf(invariants);
    }

    /** A checker of all that must be true whatever the faults. */
    public static Checker ofSafety() {
        return new Checker(SAFETY);
    }

    /** All violations of what must be true whatever the faults. */
    public static List<Violation> check(History history) {
        return ofSafety().violations(history);
    }

    /**
     * This checker, and that whoever waits is served so soon after a release or a produce. Faults are excepted, and {@code recovery}
     * after each.
     */
    public Checker servingWithin(Duration bound, Duration recovery) {
        return and(new ServedInTime(bound.toNanos(), recovery.toNanos()));
    }

    /**
     * This checker, and that no key stays locked by a grant that nobody was told of, for longer than {@code bound} without a fault.
     * {@code recovery} after each fault belongs to it.
     */
    public Checker orphansFreedWithin(Duration bound, Duration recovery) {
        return and(new NoOrphan(bound.toNanos(), recovery.toNanos()));
    }

    /** This checker, and that calls on locks do not fail while nothing goes wrong. Faults are excepted, and {@code recovery} after each. */
    public Checker answeringWhenCalm(Duration recovery) {
        return and(new AnsweredWhenCalm(recovery.toNanos()));
    }

    /**
     * This checker, and that locks that renew themselves are kept, and whoever loses one is told. Faults are excepted from the former, and
     * {@code recovery} after each.
     */
    public Checker keepingLocks(Duration recovery) {
        return and(new LocksKept(recovery.toNanos()));
    }

    private Checker and(Invariant invariant) {
        List<Invariant> more = new ArrayList<>(invariants);
        more.add(invariant);
        return new Checker(more);
    }

    /** All violations, by invariant; empty if there is none. */
    public List<Violation> violations(History history) {
        Calls calls = Calls.of(history);
        return invariants.stream()
                .flatMap(invariant -> invariant.check(calls).stream())
                .toList();
    }
}
