package dev.leasehold.lock.engine;

import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.Fence;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockEvent.Reason;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.LockLostException;
import dev.leasehold.lock.LockOptions.ReleaseErrorHandler;
import dev.leasehold.lock.Ttl;
import dev.leasehold.lock.internal.Grant;
import dev.leasehold.lock.internal.GrantValidity;
import dev.leasehold.lock.spi.Await;
import dev.leasehold.lock.spi.ExtendResult;
import dev.leasehold.lock.spi.ExtendResult.Extended;
import dev.leasehold.lock.spi.ExtendResult.Gone;
import dev.leasehold.lock.spi.LockStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.spi.Futures;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A {@link HeldLock} over any store, which renews itself. An engine with transactions extends it. */
public class RenewingLock implements HeldLock {
    private static final Logger log = LoggerFactory.getLogger(RenewingLock.class);

    private final Grant grant;
    private final LockRuntime runtime;
    private final GrantValidity validity;
    private final AtomicReference<@Nullable CompletableFuture<ReleaseResult>> ending = new AtomicReference<>();
    private final AtomicReference<@Nullable Runnable> inTransaction = new AtomicReference<>();

    /** The handle of a grant, which it renews from now on unless it was acquired without renewal. */
    public RenewingLock(Grant grant, LockRuntime runtime) {
        this.grant = grant;
        this.runtime = runtime;
        this.validity = new GrantValidity(grant);
        runtime.renewals().add(validity);
    }

    @Override
    public final LockKey key() {
        return grant.key();
    }

    @Override
    public final LockId lockId() {
        return grant.lockId();
    }

    @Override
    public final Fence fence() {
        return grant.fence();
    }

    @Override
    public final Instant acquiredAt() {
        return grant.acquiredAt();
    }

    @Override
    public final Instant expiresAt() {
        return validity.expiresAt();
    }

    @Override
    public final boolean isHeld() {
        return ending.get() == null && runtime.renewals().isTrusted(validity);
    }

    @Override
    public final void checkpoint() {
        if (ending.get() != null) {
            throw new LockLostException(key(), fence(), "was released by this handle");
        }
        if (!runtime.renewals().isTrusted(validity)) {
            throw validity.exception();
        }
    }

    @Override
    public final void onLost(Runnable action) {
        Futures.whenDone(validity.lost(), (what, failure) -> runtime.timer().callback(action));
    }

    @Override
    public final boolean release(CancelSignal signal) {
        TransactionRelease inTransaction = releaseInTransaction();
        if (inTransaction != TransactionRelease.NONE) {
            return inTransaction == TransactionRelease.RELEASED;
        }
        CompletableFuture<ReleaseResult> mine =
                end(signal == CancelSignal.none() ? runtime.store().inCallerThread() : runtime.store());
        if (mine == null) {
            return false;
        }
        CompletableFuture<ReleaseResult> awaited = mine.copy();
        Runnable listening = signal.onCancel(() -> awaited.completeExceptionally(LockException.aborted()));
        try {
            return Await.uninterruptibly(awaited, Duration.ZERO).ok();
        } catch (TimeoutException e) {
            throw new LockException(LockErrorCode.NETWORK_TIMEOUT, "The release was not answered", key().value(), e);
        } finally {
            listening.run();
        }
    }

    @Override
    public final boolean extend(Duration ttl, CancelSignal signal) {
        signal.check();
        long sent = System.nanoTime();
        validity.mayEnd(sent, Ttl.check(ttl));
        ExtendResult result = runtime.store().blocking().extend(lockId(), ttl, signal);
        if (result instanceof Extended extended) {
            validity.renewed(sent, ttl, extended.expiresAt());
        } else if (result instanceof Gone gone && ending.get() == null) {
            lost("is gone from the store", gone.reason());
        }
        return result.ok();
    }

    @Override
    public final void close() {
        if (releaseInTransaction() != TransactionRelease.NONE) {
            return;
        }
        Duration timeout = runtime.options().disposeTimeout();
        LockStore store = timeout.isZero() ? runtime.store().inCallerThread() : runtime.store();
        CompletableFuture<ReleaseResult> mine = end(store);
        if (mine == null) {
            endedBefore();
            return;
        }
        try {
            Await.uninterruptibly(mine, timeout);
        } catch (TimeoutException e) {
            LockException late = new LockException(
                    LockErrorCode.NETWORK_TIMEOUT,
                    "Lock disposal timed out after " + timeout.toMillis() + "ms",
                    key().value(),
                    e);
            mine.completeExceptionally(late);
            report(late);
        } catch (RuntimeException e) {
            report(e);
        }
    }

    private TransactionRelease releaseInTransaction() {
        TransactionRelease release = ending.get() == null ? releaseWithTransaction() : TransactionRelease.NONE;
        if (release != TransactionRelease.NONE) {
            endedBefore();
        }
        return release;
    }

    /** Begins the one release of this handle; null if it has begun before. */
    private @Nullable CompletableFuture<ReleaseResult> end(LockStore store) {
        CompletableFuture<ReleaseResult> mine = new CompletableFuture<>();
        if (!ending.compareAndSet(null, mine)) {
            return null;
        }
        runtime.renewals().remove(validity);
        CompletableFuture<ReleaseResult> answer;
        try {
            answer = runtime.lines().release(store, grant, grant.isShared() ? Duration.ZERO : ttl());
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        Futures.whenDone(answer, (result, failure) -> {
            if (failure == null) {
                mine.complete(result);
            } else {
                mine.completeExceptionally(failure);
            }
        });
        return mine;
    }

    /** Waits for the release that has begun; one in the caller's transaction is repeated in the background, in case that rolls back. */
    private void endedBefore() {
        CompletableFuture<ReleaseResult> other = ending.get();
        Runnable onClose = inTransaction.getAndSet(null);
        if (onClose != null) {
            onClose.run();
            return;
        }
        try {
            if (other != null) {
                Await.uninterruptibly(other, Duration.ZERO);
            }
        } catch (RuntimeException | TimeoutException e) {
            log.trace("event=release_failed_elsewhere", e);
        }
    }

    /** Ends this handle without a release, because its caller has gone: no renewal either. */
    final void abandon() {
        if (ending.compareAndSet(null, CompletableFuture.completedFuture(ReleaseResult.RELEASED))) {
            runtime.renewals().remove(validity);
        }
    }

    private void report(RuntimeException error) {
        ReleaseErrorHandler handler = runtime.options().onReleaseError();
        if (handler == null) {
            log.warn("event=release_failed keyHash={} fence={}", key().hash(), fence().value(), error);
            return;
        }
        try {
            handler.onReleaseError(error, new ReleaseErrorHandler.Context(key().value(), lockId(), "disposal"));
        } catch (RuntimeException e) {
            log.debug("event=release_error_handler_failed", e);
        }
    }

    /** Declares the lock lost: the store has no such grant. */
    protected final void lost(String what, @Nullable Reason reason) {
        runtime.renewals().lose(validity, what, reason);
    }

    /**
     * Ends this handle because the caller's transaction releases the lock; true if it was the first to end it. {@code close} then
     * runs {@code onClose}, to release the lock in case that transaction rolls back.
     */
    protected final boolean endElsewhere(Runnable onClose) {
        boolean first = ending.compareAndSet(null, CompletableFuture.completedFuture(ReleaseResult.RELEASED));
        if (first) {
            inTransaction.set(onClose);
            runtime.renewals().remove(validity);
        }
        return first;
    }

    /** The result of a release in a transaction of the caller. */
    protected enum TransactionRelease {
        /** There is no such transaction. */
        NONE,
        /** It is released when the transaction ends. */
        RELEASED,
        /** The lock was not held any more. */
        NOT_HELD
    }

    /**
     * Releases in a transaction of the calling thread that is open and guarded by this lock, as {@link #endElsewhere} says. An
     * ordinary release would wait for the end of that transaction, which waits for this thread.
     */
    protected TransactionRelease releaseWithTransaction() {
        return TransactionRelease.NONE;
    }

    /** The ttl with which the lock was acquired or last extended. */
    protected final Duration ttl() {
        return validity.ttl();
    }

    protected final LockRuntime runtime() {
        return runtime;
    }

    @Override
    public final String toString() {
        return "HeldLock[keyHash=" + key().hash() + ", fence=" + fence() + ", expiresAt=" + expiresAt() + "]";
    }
}
