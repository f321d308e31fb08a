package dev.leasehold.lock;

/**
 * Is called for every lock operation that ended, those on handles included.
 *
 * <p>It is called in the thread that completed the operation, so it must be quick. What it throws is ignored. Without a
 * listener nothing is computed.
 */
@FunctionalInterface
public interface LockListener {
    /** Called after each operation. */
    void onEvent(LockEvent event);

    /** Whether {@code event} may carry the raw key and lock id. If this throws, it may not. */
    default boolean includeRaw(LockEvent event) {
        return false;
    }
}
