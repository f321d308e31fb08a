package dev.leasehold.chaos.structures;

import org.jetbrains.lincheck.datastructures.StressOptions;

/** How much of each structure is tried: enough to find a missing check within seconds, and more in the long tier. */
final class Structures {
    private Structures() {}

    /** Real threads on the real structure, for every build. */
    static StressOptions stress() {
        return options().iterations(8).invocationsPerIteration(300);
    }

    /** Real threads on the real structure, for the long tier. */
    static StressOptions deepStress() {
        return options().iterations(60).invocationsPerIteration(2_000);
    }

    private static StressOptions options() {
        return new StressOptions().threads(3).actorsPerThread(3).actorsBefore(1).actorsAfter(1);
    }
}
