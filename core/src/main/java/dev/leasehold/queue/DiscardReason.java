package dev.leasehold.queue;

/** Why items were deleted although nobody has completed them. */
public enum DiscardReason {
    /** Their expire timeout was over, and their queue has no dead queue. */
    EXPIRED,

    /** They had had {@code maxAttempts} leases, and their queue has no dead queue. */
    ATTEMPTS,

    /** A consumer retried them as dead, and their queue has no dead queue. */
    REJECTED,

    /** They were dead, and the dead queue had a dead letter of the same id already; somebody may have imported it. */
    DUPLICATE
}
