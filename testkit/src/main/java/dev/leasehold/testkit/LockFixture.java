package dev.leasehold.testkit;

import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.admin.Capabilities;
import dev.leasehold.lock.engine.RenewingLocks;
import java.util.Optional;

/** Gives a contract its engine: any number of nodes on the same locks, with one clock. */
public interface LockFixture extends AutoCloseable {
    /** A new node: its own threads and lines, the same locks. Closed with the fixture. */
    RenewingLocks node(LockOptions options);

    /** A new node whose store can be kept from answering; empty if the store always answers at once. Closed with the fixture. */
    default Optional<StallingNode> stallingNode() {
        return Optional.empty();
    }

    /** What the engine says of itself. */
    Capabilities capabilities();

    /** The clock by which the store decides. */
    TestClock clock();

    /** Sets the last fence that was granted for {@code key}; the next grant gets a larger one. */
    void setFenceCounter(String key, long value);

    /** Whether a node stands in line that was refused so often: itself, and again once it was in line. */
    default boolean isInLine(long refusals) {
        return refusals >= 2;
    }

    /**
     * Whether nodes use a remote API that returns less than a store knows (not why a grant is gone, not who holds a
     * lock, not when it will be free, not what went wrong inside), and grants no more than a day.
     */
    default boolean isRemote() {
        return false;
    }

    @Override
    void close();
}
