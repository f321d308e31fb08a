package dev.leasehold.bench;

import java.util.Arrays;
import org.HdrHistogram.Histogram;

/** What one thread did: written by that thread alone, read when it has ended. */
public final class Tally {
    private static final int DIGITS = 3;
    private static final long SECOND = 1_000_000_000L;

    private final Histogram latencies = new Histogram(DIGITS);
    private final long beganNanos;
    private long[] perSecond = new long[64];
    private long operations;

    Tally(long beganNanos) {
        this.beganNanos = beganNanos;
    }

    /** Records a step that has just ended: how long it took, and how many operations it carried out. */
    public void add(long nanos, long done) {
        latencies.recordValue(Math.max(0, nanos));
        count(done);
    }

    /** Records operations without a latency. */
    public void count(long done) {
        operations += done;
        int second = (int) ((System.nanoTime() - beganNanos) / SECOND);
        if (second >= perSecond.length) {
            perSecond = Arrays.copyOf(perSecond, second * 2);
        }
        perSecond[second] += done;
    }

    long operations() {
        return operations;
    }

    Histogram latencies() {
        return latencies;
    }

    long inSecond(int second) {
        return second < perSecond.length ? perSecond[second] : 0;
    }
}
