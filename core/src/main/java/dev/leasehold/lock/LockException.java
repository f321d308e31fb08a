package dev.leasehold.lock;

import dev.leasehold.LeaseholdException;
import org.jspecify.annotations.Nullable;

/**
 * A lock operation failed (SyncGuard's {@code LockError}): {@link #code()} says how, the message what to do, the cause why.
 *
 * <p>The message never contains a lock id; {@link #key()} is there for callers, not for logs.
 */
public class LockException extends LeaseholdException {
    private static final long serialVersionUID = 1L;

    private final LockErrorCode code;
    private final @Nullable String key;

    /** A failure without a cause. */
    public LockException(LockErrorCode code, String message) {
        this(code, message, null, null);
    }

    /** A failure with its cause. */
    public LockException(LockErrorCode code, String message, @Nullable Throwable cause) {
        this(code, message, null, cause);
    }

    /** A failure of a call about {@code key}, with its cause. */
    public LockException(LockErrorCode code, String message, @Nullable String key, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
        this.key = key;
    }

    /** A wrong argument: {@code expected} is a sentence that says what was expected and what was got. */
    public static LockException invalidArgument(String expected) {
        return new LockException(LockErrorCode.INVALID_ARGUMENT, expected);
    }

    /** The caller's signal or thread said stop. */
    public static LockException aborted() {
        return new LockException(LockErrorCode.ABORTED, "Operation aborted by signal");
    }

    /** A lock id that the caller chose belongs to a grant of another key. Says neither which id nor which key. */
    public static LockException lockIdInUse() {
        return invalidArgument("The lock id is already in use for another key: choose a new lock id for each key");
    }

    /** The fences of a key are used up: SyncGuard's words, and what they mean. */
    public static LockException fenceOverflow(LockKey key) {
        return new LockException(
                LockErrorCode.INTERNAL,
                "Fence counter overflow - exceeded operational limit (" + Fence.MAX
                        + "): the key is free, but its fences are used up, so it cannot be acquired any more."
                        + " Nothing was written; use another key",
                key.value(),
                null);
    }

    /** Why it failed. */
    public LockErrorCode code() {
        return code;
    }

    /** The key of the failed call, if it had one. */
    public @Nullable String key() {
        return key;
    }
}
