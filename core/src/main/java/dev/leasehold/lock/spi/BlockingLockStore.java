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

    /** {@link LockStore#acquire(AcquireAttempt)}, waiting for the answer. */
    public AcquireResult acquire(AcquireAttempt attempt) {
        return Await.interruptibly(store.acquire(attempt));
    }

    /** {@link LockStore#release(LockId, CancelSignal)}, waiting for the answer. */
    public ReleaseResult release(LockId lockId, CancelSignal signal) {
        return Await.interruptibly(store.release(lockId, signal));
    }

    /** {@link #release(LockId, CancelSignal)} without a signal. */
    public ReleaseResult release(LockId lockId) {
        return release(lockId, CancelSignal.none());
    }

    /** {@link LockStore#extend(Extension, CancelSignal)}, waiting for the answer. */
    public ExtendResult extend(LockId lockId, Duration ttl, CancelSignal signal) {
        return Await.interruptibly(store.extend(new Extension(lockId, ttl), signal));
    }

    /** {@link #extend(LockId, Duration, CancelSignal)} without a signal. */
    public ExtendResult extend(LockId lockId, Duration ttl) {
        return extend(lockId, ttl, CancelSignal.none());
    }

    /** {@link LockStore#isLocked(LockKey, CancelSignal)}, waiting for the answer. */
    public boolean isLocked(LockKey key, CancelSignal signal) {
        return Await.interruptibly(store.isLocked(key, signal));
    }

    /** {@link #isLocked(LockKey, CancelSignal)} without a signal. */
    public boolean isLocked(LockKey key) {
        return isLocked(key, CancelSignal.none());
    }

    /** {@link LockStore#lookup(LockKey, CancelSignal)}, waiting for the answer. */
    public Optional<LockInfo> lookup(LockKey key, CancelSignal signal) {
        return Await.interruptibly(store.lookup(key, signal));
    }

    /** {@link #lookup(LockKey, CancelSignal)} without a signal. */
    public Optional<LockInfo> lookup(LockKey key) {
        return lookup(key, CancelSignal.none());
    }

    /** {@link LockStore#lookup(LockId, CancelSignal)}, waiting for the answer. */
    public Optional<LockInfo> lookup(LockId lockId, CancelSignal signal) {
        return Await.interruptibly(store.lookup(lockId, signal));
    }

    /** {@link #lookup(LockId, CancelSignal)} without a signal. */
    public Optional<LockInfo> lookup(LockId lockId) {
        return lookup(lockId, CancelSignal.none());
    }
}
