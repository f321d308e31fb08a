package dev.leasehold.bench;

import java.time.Duration;

/** A system that is set up: it warms up with one run, is measured in a second one, and closed. */
public interface Trial extends AutoCloseable {
    /** Brings in what the next run needs, such as items to drain. Not measured. */
    default void prepare(Duration duration) throws Exception {}

    /**
     * Works for about {@code duration} and records what it did; {@link Workers#run} does it with threads that repeat one step. The
     * time that this call takes is the time that rates are reckoned with.
     */
    void run(Recorder recorder, Duration duration) throws Exception;

    @Override
    default void close() {}
}
