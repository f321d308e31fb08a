package dev.leasehold.chaos.attack;

import java.time.Duration;

/**
 * What was seen at the end of one interval of a hostile run.
 *
 * @param calls of the normal client, in this interval
 * @param refusals how many of these were refused, and repeated
 * @param slowest the longest time in which a call of it was served, refused tries included
 */
record Sample(Duration at, long calls, long refusals, Duration slowest, Vitals vitals) {
    static final String HEADING = "   time    calls  refused  slowest  heap after GC  resident  descriptors  threads";

    String line() {
        return "%4d:%02d %8d %8d %5d ms %11d MB %6d MB %12d %8d"
                .formatted(
                        at.toMinutes(),
                        at.toSecondsPart(),
                        calls,
                        refusals,
                        slowest.toMillis(),
                        vitals.heap() >> 20,
                        vitals.resident() >> 20,
                        vitals.files(),
                        vitals.threads());
    }
}
