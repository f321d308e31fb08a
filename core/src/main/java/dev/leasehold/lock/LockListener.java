package dev.leasehold.lock;

/**
 * Hears of every lock operation that came back, those on handles included.
 *
 * <p>It is called in the thread that completed the operation, so it must be quick. What it throws is swallowed. Without a
 * listener nothing is computed.
 */
@FunctionalInterface
public interface LockListener {
    void onEvent(LockEvent event);

    /** Whether {@code event} may carry the raw key and lock id. If this throws, it may not. */
    default boolean includeRaw(LockEvent event) {
        return false;
    }
}
