package dev.leasehold.bench;

import java.time.Duration;

/**
 * How long a system runs before it is measured.
 *
 * @param cold for systems in JVMs of their own, where nothing is compiled yet
 */
record WarmUp(Duration usual, Duration cold) {
    private static final int PART = 3;
    private static final Duration LONGEST = Duration.ofSeconds(5);
    private static final Duration COLD = Duration.ofSeconds(10);
    private static final Duration SHORTEST_RUN = Duration.ofSeconds(1);

    static WarmUp of(Duration both) {
        return new WarmUp(both, both);
    }

    /** What is usual before a run of that length. */
    static WarmUp before(Duration run) {
        Duration part = run.dividedBy(PART);
        Duration usual = part.compareTo(LONGEST) < 0 ? part : LONGEST;
        return new WarmUp(usual, run.compareTo(SHORTEST_RUN) < 0 ? usual : COLD);
    }
}
