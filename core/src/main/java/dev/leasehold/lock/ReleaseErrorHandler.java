package dev.leasehold.lock;

/** Hears of locks that could not be given back when their handle was closed. They end at their expiry. */
@FunctionalInterface
public interface ReleaseErrorHandler {
    /** Called once per failed close; what it throws is swallowed. */
    void onReleaseError(RuntimeException error, Context context);

    /** Which lock it was. {@code source} is always {@code disposal}. */
    record Context(String key, LockId lockId, String source) {}
}
