package dev.leasehold.memory;

import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.Lease;
import dev.leasehold.lock.spi.LeaseLocks;

/** Locks that exist only in this process. Several of them on one {@link MemoryLockStore} stand for several nodes. */
public final class MemoryLocks extends LeaseLocks {
    private MemoryLocks(MemoryLockStore store, LockOptions options) {
        super(store, options, Lease::new);
    }

    public static MemoryLocks create() {
        return create(LockOptions.DEFAULT);
    }

    public static MemoryLocks create(LockOptions options) {
        return on(new MemoryLockStore(), options);
    }

    /** A node of its own on the locks of {@code store}. Closing it leaves the store to the other nodes. */
    public static MemoryLocks on(MemoryLockStore store, LockOptions options) {
        return new MemoryLocks(store, options);
    }
}
