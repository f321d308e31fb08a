package dev.leasehold.syncguard;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.Locks;
import dev.leasehold.lock.Locks.LockedWork;
import dev.leasehold.lock.spi.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What SyncGuard's API has beyond that of {@link Locks}: raw lookups, a retry policy, and an abort signal for every call.
 *
 * <p>A signal that is given before a call is sent keeps it from being sent; the call then fails as {@link LockErrorCode#ABORTED}.
 */
public final class SyncGuardLocks {
    private static final String NO_KEY = "[backend does not provide raw key]";
    private static final String NO_LOCK_ID = "[backend does not provide raw lockId]";

    private final Locks locks;

    private SyncGuardLocks(Locks locks) {
        this.locks = locks;
    }

    /** SyncGuard's API on {@code locks}. */
    public static SyncGuardLocks of(Locks locks) {
        return new SyncGuardLocks(locks);
    }

    /**
     * Runs {@code work} under the lock, waiting as SyncGuard does: try, sleep, try again.
     *
     * @param acquisitionSignal ends only the waiting
     */
    public <T, E extends Exception> T withLock(
            AcquireRequest request, RetryPolicy retry, CancelSignal acquisitionSignal, LockedWork<T, E> work) throws E {
        RetryLoop loop = new RetryLoop(
                retry,
                request.signal(),
                acquisitionSignal,
                () -> ThreadLocalRandom.current().nextDouble());
        AcquireRequest once = request.waitFor(Duration.ZERO);
        try (HeldLock lock = loop.run(() -> locks.tryAcquire(once))) {
            return work.run(lock);
        }
    }

    /** Releases the grant with this lock id. False if it is not held. */
    public boolean release(String lockId, CancelSignal signal) {
        return locks.byLockId().release(lockId, signal);
    }

    /** Sets the expiry of the grant with this lock id to now plus {@code ttl}, and returns it; empty if the lock is not held. */
    public Optional<Instant> extend(String lockId, Duration ttl, CancelSignal signal) {
        return locks.byLockId().extend(lockId, ttl, signal);
    }

    /** Whether the lock is held. */
    public boolean isLocked(String key, CancelSignal signal) {
        String checked = LockKey.of(key).value();
        return await(signal, () -> locks.async().isLocked(checked));
    }

    /** The live lock of {@code key}. */
    public Optional<LockInfo> getByKey(String key, CancelSignal signal) {
        String checked = LockKey.of(key).value();
        return await(signal, () -> locks.async().getByKey(checked));
    }

    /** The live lock with this lock id. */
    public Optional<LockInfo> getById(String lockId, CancelSignal signal) {
        return locks.byLockId().get(lockId, signal);
    }

    /** The live lock of {@code key} with its raw key and lock id, for debugging. */
    public Optional<RawLockInfo> getByKeyRaw(String key) {
        return getByKeyRaw(key, CancelSignal.none());
    }

    /** {@link #getByKeyRaw(String)}, unless {@code signal} is given before. */
    public Optional<RawLockInfo> getByKeyRaw(String key, CancelSignal signal) {
        return getByKey(key, signal).map(info -> raw(info, LockKey.of(key).value(), null));
    }

    /** The live lock with this lock id, with its raw key and lock id, for debugging. */
    public Optional<RawLockInfo> getByIdRaw(String lockId) {
        return getByIdRaw(lockId, CancelSignal.none());
    }

    /** {@link #getByIdRaw(String)}, unless {@code signal} is given before. */
    public Optional<RawLockInfo> getByIdRaw(String lockId, CancelSignal signal) {
        return getById(lockId, signal).map(info -> raw(info, null, lockId));
    }

    /** Whether this lock id holds its lock now. */
    public boolean owns(String lockId, CancelSignal signal) {
        return getById(lockId, signal).isPresent();
    }

    /** What the store does not return is taken from the query, or named as missing. */
    private static RawLockInfo raw(LockInfo info, @Nullable String askedKey, @Nullable String askedLockId) {
        return new RawLockInfo(
                info,
                info.key().map(LockKey::value).orElse(askedKey == null ? NO_KEY : askedKey),
                info.lockId().map(LockId::value).orElse(askedLockId == null ? NO_LOCK_ID : askedLockId));
    }

    private static <T> T await(CancelSignal signal, Supplier<CompletableFuture<T>> call) {
        if (signal.isCancelled()) {
            throw LockException.aborted();
        }
        CompletableFuture<T> called = call.get();
        Runnable off = signal.onCancel(() -> called.cancel(true));
        try {
            return Await.interruptibly(called);
        } finally {
            off.run();
        }
    }
}
