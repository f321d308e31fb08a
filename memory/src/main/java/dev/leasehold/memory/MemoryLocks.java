package dev.leasehold.memory;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.Locks;
import dev.leasehold.lock.admin.LockAdmin;
import dev.leasehold.lock.direct.AsyncLocks;
import dev.leasehold.lock.direct.LocksById;
import dev.leasehold.lock.engine.RenewingLocks;
import dev.leasehold.lock.spi.LockGauges;
import java.util.Optional;

/** Locks that exist only in this process. Several of them on one {@link MemoryLockStore} stand for several nodes. */
public final class MemoryLocks implements Locks, LockGauges {
    private final RenewingLocks locks;

    private MemoryLocks(MemoryLockStore store, LockOptions options) {
        this.locks = new RenewingLocks(store, options);
    }

    /** Locks with all defaults, on a store of their own. */
    public static MemoryLocks create() {
        return create(LockOptions.DEFAULT);
    }

    /** Locks on a store of their own. */
    public static MemoryLocks create(LockOptions options) {
        return on(new MemoryLockStore(), options);
    }

    /** A node of its own on the locks of {@code store}. Closing it leaves the store to the other nodes. */
    public static MemoryLocks on(MemoryLockStore store, LockOptions options) {
        return new MemoryLocks(store, options);
    }

    @Override
    public HeldLock acquire(AcquireRequest request) {
        return locks.acquire(request);
    }

    @Override
    public Optional<HeldLock> tryAcquire(AcquireRequest request) {
        return locks.tryAcquire(request);
    }

    @Override
    public boolean isLocked(String key) {
        return locks.isLocked(key);
    }

    @Override
    public Optional<LockInfo> getByKey(String key) {
        return locks.getByKey(key);
    }

    @Override
    public AsyncLocks async() {
        return locks.async();
    }

    @Override
    public LocksById byLockId() {
        return locks.byLockId();
    }

    @Override
    public LockAdmin admin() {
        return locks.admin();
    }

    @Override
    public int held() {
        return locks.held();
    }

    @Override
    public int waiting() {
        return locks.waiting();
    }

    @Override
    public void close() {
        locks.close();
    }

    /** For tests. */
    RenewingLocks renewing() {
        return locks;
    }
}
