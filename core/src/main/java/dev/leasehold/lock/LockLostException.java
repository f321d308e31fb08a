package dev.leasehold.lock;

import dev.leasehold.LeaseholdException;

/** The lock was lost while its holder worked: it expired, or was taken away. Stop the work; what it wrote unguarded may be overwritten. */
public final class LockLostException extends LeaseholdException {
    private static final long serialVersionUID = 1L;

    private final String key;
    private final Fence fence;

    /**
     * The loss of a grant.
     *
     * @param what how it was lost: the end of the sentence that the message is
     */
    public LockLostException(LockKey key, Fence fence, String what) {
        super("lock '" + key.value() + "' was lost: fence " + fence.value() + " " + what, null);
        this.key = key.value();
        this.fence = fence;
    }

    /** The key of the lock. */
    public String key() {
        return key;
    }

    /** The fence of the grant that is no more. */
    public Fence fence() {
        return fence;
    }
}
