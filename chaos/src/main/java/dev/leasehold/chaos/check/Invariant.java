package dev.leasehold.chaos.check;

import java.util.List;

/** Something that is true of every history. It says no only if no correct engine could have had this history. */
interface Invariant {
    List<Violation> check(Calls calls);
}
