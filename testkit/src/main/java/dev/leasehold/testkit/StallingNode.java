package dev.leasehold.testkit;

import dev.leasehold.lock.engine.RenewingLocks;

/** A node whose store can be kept from answering. Its calls have more time than a test takes. */
public interface StallingNode {
    /** The locks of the node. */
    RenewingLocks locks();

    /** From now on the store does not answer. */
    void stall();

    /** Whether something was sent to the store since it does not answer. */
    boolean isAsked();
}
