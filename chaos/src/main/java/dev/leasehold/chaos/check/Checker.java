package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.History;
import java.util.List;

/** Says what in a history no correct engine could have done. */
public final class Checker {
    private final List<Invariant> invariants;

    private Checker(List<Invariant> invariants) {
        this.invariants = invariants;
    }

    /** A checker of all that must be true whatever the faults. */
    public static Checker ofSafety() {
        return new Checker(List.of());
    }

    /** All violations, by invariant; empty if there is none. */
    public static List<Violation> check(History history) {
        return ofSafety().violations(history);
    }

    /** All violations, by invariant; empty if there is none. */
    public List<Violation> violations(History history) {
        Calls calls = Calls.of(history);
        return invariants.stream()
                .flatMap(invariant -> invariant.check(calls).stream())
                .toList();
    }
}
