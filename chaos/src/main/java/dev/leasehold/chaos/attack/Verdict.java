package dev.leasehold.chaos.attack;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** Judges what was seen in a hostile run. */
final class Verdict {
    private static final int ENOUGH_SAMPLES = 6;
    private static final long MORE_HEAP = 32L << 20;
    private static final long MORE_RESIDENT = 64L << 20;

    private Verdict() {}

    /** The promises that were not kept: a call took longer than {@code limit}, nobody was served, or the memory grew. */
    static List<String> of(List<Sample> samples, Duration limit) {
        List<String> broken = new ArrayList<>();
        for (Sample sample : samples) {
            if (sample.slowest().compareTo(limit) > 0) {
                broken.add(
                        "a call of the normal client took " + sample.slowest().toMillis() + " ms");
            }
            if (sample.calls() == sample.refusals()) {
                broken.add("no call of the normal client was served");
            }
        }
        growth("heap", samples, sample -> sample.vitals().heap(), MORE_HEAP, broken);
        growth("resident memory", samples, sample -> sample.vitals().resident(), MORE_RESIDENT, broken);
        return broken;
    }

    /** Compares the last third with the one before it. In the first a JVM still takes what it needs. */
    private static void growth(
            String what, List<Sample> samples, ToLongFunction<Sample> bytes, long more, List<String> broken) {
        int third = samples.size() / 3;
        if (samples.size() < ENOUGH_SAMPLES) {
            return;
        }
        long before = mean(samples.subList(third, samples.size() - third), bytes);
        long after = mean(samples.subList(samples.size() - third, samples.size()), bytes);
        if (after > before + more) {
            broken.add("the " + what + " grew from " + (before >> 20) + " MB to " + (after >> 20) + " MB");
        }
    }

    private static long mean(List<Sample> samples, ToLongFunction<Sample> bytes) {
        return (long) samples.stream().mapToLong(bytes).average().orElse(0);
    }
}
