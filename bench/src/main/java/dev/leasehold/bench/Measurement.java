package dev.leasehold.bench;

import java.util.Map;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/**
 * The figures of one run. What could not be seen from here is empty.
 *
 * @param operations how many were carried out
 * @param seconds how long it took
 * @param longestMs the longest latency
 * @param idsPerOp transaction ids consumed per operation
 * @param clientCpuSeconds of this JVM and the processes that it started for the run
 * @param extras further figures by name
 */
public record Measurement(
        long operations,
        double seconds,
        double p50Ms,
        double p99Ms,
        double longestMs,
        double walBytesPerOp,
        double idsPerOp,
        OptionalDouble transactionsPerOp,
        OptionalDouble roundTripsPerOp,
        double clientCpuSeconds,
        OptionalDouble databaseCpuSeconds,
        Map<String, Double> extras) {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    static Measurement of(Recorder recorder, Counters spent, double seconds) {
        long operations = recorder.operations();
        double per = Math.max(1, operations);
        Histogram latencies = recorder.latencies();
        boolean counted = spent.traffic().roundTrips() > 0;
        return new Measurement(
                operations,
                seconds,
                latencies.getValueAtPercentile(50) / NANOS_PER_MILLI,
                latencies.getValueAtPercentile(99) / NANOS_PER_MILLI,
                latencies.getMaxValue() / NANOS_PER_MILLI,
                spent.walBytes() / per,
                spent.transactionIds() / per,
                counted ? OptionalDouble.of(spent.traffic().transactions() / per) : OptionalDouble.empty(),
                counted ? OptionalDouble.of(spent.traffic().roundTrips() / per) : OptionalDouble.empty(),
                spent.clientCpuNanos() / NANOS_PER_SECOND,
                spent.databaseCpuNanos() >= 0
                        ? OptionalDouble.of(spent.databaseCpuNanos() / NANOS_PER_SECOND)
                        : OptionalDouble.empty(),
                recorder.extras());
    }

    /** A further figure by its name; NaN if there is none. */
    double extra(String name) {
        return extras.getOrDefault(name, Double.NaN);
    }

    double opsPerSecond() {
        return operations / seconds;
    }
}
