package dev.leasehold.lock.spi;

import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.Fence;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.admin.Capabilities;
import dev.leasehold.lock.admin.ListedLock;
import dev.leasehold.lock.admin.LockListing;
import dev.leasehold.lock.direct.HolderLocks;
import dev.leasehold.lock.direct.HolderLocks.HeldBy;
import dev.leasehold.lock.direct.HolderLocks.Release;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * An engine behind the lock contract: the list of transitions. Each is a single attempt; none waits for a lock
 * unless the store {@link #waits}.
 *
 * <p>Futures fail only with {@link dev.leasehold.lock.LockException}, within the store's own timeout. A cancelled future or
 * signal ends the call at once; if the store then grants, it releases the grant by itself, unless it is an earlier grant of the
 * same holder. It does the same after an attempt with an unknown outcome. Futures complete in engine threads: dependent actions
 * must be quick.
 */
public interface LockStore extends AutoCloseable {
    /** Grants the key if it is free, expired, or held by the same holder. */
    CompletableFuture<AcquireResult> acquire(AcquireAttempt attempt);

    /** Whether this store does the waiting: then it gets the whole wait in one call, and no call waits in line here. */
    default boolean waits() {
        return false;
    }

    /**
     * Grants the key as soon as it can, or returns that it is locked when {@code wait} is over. Only for stores that wait: the
     * store's own timeout begins when the wait is over, and a cancelled future or signal ends the wait.
     */
    default CompletableFuture<AcquireResult> acquire(AcquireAttempt attempt, Duration wait) {
        return acquire(attempt);
    }

    /** Ends the grant if it is live. */
    CompletableFuture<ReleaseResult> release(LockId lockId, CancelSignal signal);

    /**
     * {@link #release(LockId)} for a handle, which releases only once. A store that is reached over a network retries a failed release in
     * the background, until it succeeds or {@code repeatFor} is over; zero means never.
     */
    default CompletableFuture<ReleaseResult> releaseFromHandle(LockId lockId, Duration repeatFor) {
        return release(lockId);
    }

    /** Whether {@link #handOver} is supported, as one step. */
    default boolean handsOver() {
        return false;
    }

    /**
     * Ends the grant and tries to acquire its key for the next waiter of this JVM. No other waiter is woken, so a caller that is not
     * granted has to try again after the release. Only for stores that hand over.
     */
    default HandOver handOver(LockId lockId, AcquireAttempt next) {
        throw new UnsupportedOperationException("This store does not hand over");
    }

    /**
     * Ends the grant of an attempt whose caller has gone. If the attempt can be repeated, the grant stays if it was acquired again since:
     * another caller got it then.
     */
    default CompletableFuture<ReleaseResult> giveBack(AcquireAttempt attempt) {
        return release(attempt.lockId());
    }

    /** Sets the expiry of a live grant to now plus ttl. */
    CompletableFuture<ExtendResult> extend(Extension extension, CancelSignal signal);

    /** {@link #extend} for many grants at once, in one statement where the engine has statements. */
    List<CompletableFuture<ExtendResult>> extendAll(List<Extension> extensions);

    /** Whether a live grant of the key exists. */
    CompletableFuture<Boolean> isLocked(LockKey key, CancelSignal signal);

    /** The live grant of the key. */
    CompletableFuture<Optional<LockInfo>> lookup(LockKey key, CancelSignal signal);

    /** The live grant with this id. */
    CompletableFuture<Optional<LockInfo>> lookup(LockId lockId, CancelSignal signal);

    /**
     * Adds {@code more} to the lease of the live grant of this holder, from its expiry on, but not beyond
     * {@link HolderLocks#MAX_LEASE} from now; never makes it shorter. Empty if the holder has no live grant of the key.
     *
     * <p>This and the next three are for stores that know more of a grant than its lock id; others refuse them.
     */
    default CompletableFuture<Optional<HeldBy>> renew(LockKey key, Holder holder, Duration more) {
        return refused("renew by holder");
    }

    /** Ends the live grant of this holder. */
    default CompletableFuture<Release> release(LockKey key, Holder holder) {
        return refused("release by holder");
    }

    /** A page of the live grants, in byte order of their keys. */
    default CompletableFuture<List<ListedLock>> list(LockListing listing) {
        return refused("list locks");
    }

    /** Ends the live grant of the key with this fence, whoever has it. False if there is none. */
    default CompletableFuture<Boolean> forceRelease(LockKey key, Fence fence) {
        return refused("release by force");
    }

    /** {@link #forceRelease(LockKey, Fence)} for stores that pass on the reason. */
    default CompletableFuture<Boolean> forceRelease(LockKey key, Fence fence, String reason) {
        return forceRelease(key, fence);
    }

    private static <T> CompletableFuture<T> refused(String what) {
        return CompletableFuture.failedFuture(LockException.invalidArgument("This store cannot " + what));
    }

    /**
     * Calls {@code wakeUp} once when the watch is in effect, and then whenever the key may have become free, until the watch is
     * closed. A wake-up is a hint: it may be spurious, and it may be missing.
     */
    Watch watch(LockKey key, Runnable wakeUp);

    /** The same store for callers that block for the result: it may use their thread. */
    default LockStore inCallerThread() {
        return this;
    }

    /** What this store can do. */
    Capabilities capabilities();

    @Override
    void close();

    /** The interest in a key. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }

    /** {@link #release(LockId, CancelSignal)} without a signal. */
    default CompletableFuture<ReleaseResult> release(LockId lockId) {
        return release(lockId, CancelSignal.none());
    }

    /** {@link #extend(Extension, CancelSignal)} without a signal. */
    default CompletableFuture<ExtendResult> extend(LockId lockId, Duration ttl) {
        return extend(new Extension(lockId, ttl), CancelSignal.none());
    }

    /** {@link #isLocked(LockKey, CancelSignal)} without a signal. */
    default CompletableFuture<Boolean> isLocked(LockKey key) {
        return isLocked(key, CancelSignal.none());
    }

    /** {@link #lookup(LockKey, CancelSignal)} without a signal. */
    default CompletableFuture<Optional<LockInfo>> lookup(LockKey key) {
        return lookup(key, CancelSignal.none());
    }

    /** {@link #lookup(LockId, CancelSignal)} without a signal. */
    default CompletableFuture<Optional<LockInfo>> lookup(LockId lockId) {
        return lookup(lockId, CancelSignal.none());
    }

    /** The blocking face of this store. */
    default BlockingLockStore blocking() {
        return new BlockingLockStore(this);
    }
}
