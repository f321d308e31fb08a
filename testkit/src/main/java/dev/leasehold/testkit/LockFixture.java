package dev.leasehold.testkit;

import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.LeaseLocks;

/** Gives a contract its engine: any number of nodes on the same locks, with one clock. */
public interface LockFixture extends AutoCloseable {
    /** A new node: its own threads and lines, the same locks. Closed with the fixture. */
    LeaseLocks<?> node(LockOptions options);

    /** The clock by which the store decides. */
    TestClock clock();

    /** Sets the last fence that was granted for {@code key}; the next grant gets a larger one. */
    void setFenceCounter(String key, long value);

    @Override
    void close();
}
