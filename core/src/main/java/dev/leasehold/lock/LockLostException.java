package dev.leasehold.lock;

/** The holder's grant ended without its doing: it expired, or somebody else took the lock. Work under it must stop. */
public final class LockLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String key;
    private final Fence fence;

    public LockLostException(LockKey key, Fence fence, String what) {
        super("lock '" + key.value() + "' was lost: fence " + fence.value() + " " + what);
        this.key = key.value();
        this.fence = fence;
    }

    public String key() {
        return key;
    }

    /** The fence of the grant that is no more. */
    public Fence fence() {
        return fence;
    }
}
