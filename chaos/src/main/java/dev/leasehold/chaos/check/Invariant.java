package dev.leasehold.chaos.check;

import java.util.List;

/** Something that is true of every history. It says no only if no correct engine could have had this history. */
interface Invariant {
    List<Violation> check(Calls calls);

    /** Its name, as violations carry it. */
    default String name() {
        return getClass().getSimpleName();
    }

    default Violation violation(String sentence, Call... excerpt) {
        return new Violation(name(), sentence, Excerpt.of(excerpt));
    }
}
