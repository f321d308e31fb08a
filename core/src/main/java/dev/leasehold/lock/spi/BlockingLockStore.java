package dev.leasehold.lock.spi;

import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockKey;
import java.time.Duration;
import java.util.Optional;

/** A {@link LockStore} whose calls wait for their answer. An interrupt ends the call as Aborted and stays set. */
public final class BlockingLockStore {
    private final LockStore store;

    BlockingLockStore(LockStore store) {
        this.store = store.inCallerThread();
    }

    public AcquireResult acquire(AcquireAttempt attempt) {
        return Await.interruptibly(store.acquire(attempt));
    }

    public ReleaseResult release(LockId lockId, CancelSignal signal) {
        return Await.interruptibly(store.release(lockId, signal));
    }

    public ReleaseResult release(LockId lockId) {
        return release(lockId, CancelSignal.none());
    }

    public ExtendResult extend(LockId lockId, Duration ttl, CancelSignal signal) {
        return Await.interruptibly(store.extend(new Extension(lockId, ttl), signal));
    }

    public ExtendResult extend(LockId lockId, Duration ttl) {
        return extend(lockId, ttl, CancelSignal.none());
    }

    public boolean isLocked(LockKey key, CancelSignal signal) {
        return Await.interruptibly(store.isLocked(key, signal));
    }

    public boolean isLocked(LockKey key) {
        return isLocked(key, CancelSignal.none());
    }

    public Optional<LockInfo> lookup(LockKey key, CancelSignal signal) {
        return Await.interruptibly(store.lookup(key, signal));
    }

    public Optional<LockInfo> lookup(LockKey key) {
        return lookup(key, CancelSignal.none());
    }

    public Optional<LockInfo> lookup(LockId lockId, CancelSignal signal) {
        return Await.interruptibly(store.lookup(lockId, signal));
    }

    public Optional<LockInfo> lookup(LockId lockId) {
        return lookup(lockId, CancelSignal.none());
    }
}
