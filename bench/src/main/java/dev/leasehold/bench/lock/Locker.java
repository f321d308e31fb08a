package dev.leasehold.bench.lock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A system of locks, reduced to what the scenarios need. Safe for use by many threads. */
interface Locker extends AutoCloseable {
    /** Takes a lock, waiting so long if others have it; null if they had it all the while. */
    @Nullable Held acquire(String key, Duration wait) throws Exception;

    @Override
    void close();

    /** A lock that is held. */
    @FunctionalInterface
    interface Held {
        void release() throws Exception;
    }
}
