package dev.leasehold.chaos.structures;

import org.jetbrains.lincheck.datastructures.StressOptions;

/** How much of each structure is tried: enough to find a missing check within seconds. */
final class Structures {
    private Structures() {}

    /** Real threads on the real structure. */
    static StressOptions stress() {
        return new StressOptions()
                .iterations(8)
                .invocationsPerIteration(300)
                .threads(3)
                .actorsPerThread(3)
                .actorsBefore(1)
                .actorsAfter(1);
    }
}
