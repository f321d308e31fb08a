package dev.leasehold.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Takes down what happens in one run. */
public final class Recorder {
    private final long beganNanos = System.nanoTime();
    private final List<Tally> tallies = new ArrayList<>();
    private final Map<String, Double> extras = new LinkedHashMap<>();
    private Traffic elsewhere = Traffic.NONE;
    private long cpuElsewhereNanos;
    private long busyNanos = -1;

    /** A new tally, for one thread. */
    public synchronized Tally tally() {
        Tally tally = new Tally(beganNanos);
        tallies.add(tally);
        return tally;
    }

    /** A further figure by its name, such as {@code table MB}. */
    public synchronized void extra(String name, double value) {
        extras.put(name, value);
    }

    /** What a process that we started spent: this JVM counts only its own. */
    public synchronized void elsewhere(Traffic traffic, long cpuNanos) {
        elsewhere = elsewhere.plus(traffic);
        cpuElsewhereNanos += cpuNanos;
    }

    /** Adds to the time to reckon rates with, where it is not that of the whole run. */
    public synchronized void busy(long nanos) {
        busyNanos = Math.max(0, busyNanos) + nanos;
    }

    /** The same, or that of the whole run. */
    synchronized long busyNanosOr(long wholeRun) {
        return busyNanos < 0 ? wholeRun : busyNanos;
    }

    synchronized Traffic trafficElsewhere() {
        return elsewhere;
    }

    synchronized long cpuElsewhereNanos() {
        return cpuElsewhereNanos;
    }

    public synchronized long operations() {
        return tallies.stream().mapToLong(Tally::operations).sum();
    }

    /** Operations per second from one whole second of the run to another. */
    public synchronized double rateBetween(int fromSecond, int toSecond) {
        long sum = 0;
        for (int second = fromSecond; second < toSecond; second++) {
            for (Tally tally : tallies) {
                sum += tally.inSecond(second);
            }
        }
        return (double) sum / (toSecond - fromSecond);
    }

    /** The latencies of all threads, in nanoseconds. */
    public synchronized Histogram latencies() {
        Histogram all = new Histogram(3);
        tallies.forEach(tally -> all.add(tally.latencies()));
        return all;
    }

    synchronized Map<String, Double> extras() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(extras));
    }
}
