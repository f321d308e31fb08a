package dev.leasehold.lock.engine;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.Locks;
import dev.leasehold.lock.admin.LockAdmin;
import dev.leasehold.lock.direct.AsyncLocks;
import dev.leasehold.lock.direct.LocksById;
import dev.leasehold.lock.internal.Grant;
import dev.leasehold.lock.internal.LockEvents;
import dev.leasehold.lock.internal.Renewals;
import dev.leasehold.lock.internal.StoreLockAdmin;
import dev.leasehold.lock.internal.StoreLocksById;
import dev.leasehold.lock.internal.TelemetryStore;
import dev.leasehold.lock.internal.WaitLines;
import dev.leasehold.lock.internal.Waiter;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.Await;
import dev.leasehold.lock.spi.BlockingLockStore;
import dev.leasehold.lock.spi.LockGauges;
import dev.leasehold.lock.spi.LockStore;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiFunction;

/** {@link Locks} over any {@link LockStore}: this class and its parts wait, renew and report; the store decides who holds a lock. */
public final class RenewingLocks implements Locks, LockGauges {
    private final LockStore store;
    private final LockStore callerStore;
    private final BlockingLockStore blocking;
    private final LockOptions options;
    private final Timer timer = new Timer("leasehold-locks");
    private final WaitLines lines;
    private final LockRuntime runtime;
    private final BiFunction<Grant, LockRuntime, ? extends RenewingLock> handles;

    /** Locks whose handles have nothing that is special to their engine. */
    public RenewingLocks(LockStore engine, LockOptions options) {
        this(engine, options, RenewingLock::new);
    }

    /** @param handles makes the handle of a grant */
    public RenewingLocks(
            LockStore engine, LockOptions options, BiFunction<Grant, LockRuntime, ? extends RenewingLock> handles) {
        LockEvents events = new LockEvents(options.listener());
        this.store = TelemetryStore.around(engine, events);
        this.callerStore = store.inCallerThread();
        this.blocking = store.blocking();
        this.options = options;
        this.lines = new WaitLines(store, timer, options.pollInterval());
        this.runtime = new LockRuntime(store, options, events, new Renewals(store, events, timer), lines, timer);
        this.handles = handles;
    }

    @Override
    public HeldLock acquire(AcquireRequest request) {
        long start = System.nanoTime();
        AcquireAttempt attempt = attempt(request);
        Duration wait = request.waitFor() == null ? options.waitFor() : request.waitFor();
        Waiter waiter = lines.acquire(callerStore, attempt, wait);
        return Await.interruptibly(waiter.result())
                .map(won -> hold(request, attempt, won))
                .orElseThrow(() -> {
                    long ms = (System.nanoTime() - start) / 1_000_000;
                    return new LockException(
                            LockErrorCode.ACQUISITION_TIMEOUT,
                            "lock '" + request.key().value() + "' was held by others for " + ms + " ms ("
                                    + waiter.asked() + " attempts): wait longer, or try again later",
                            request.key().value(),
                            null);
                });
    }

    @Override
    public Optional<HeldLock> tryAcquire(AcquireRequest request) {
        AcquireAttempt attempt = attempt(request);
        Waiter waiter = lines.acquire(callerStore, attempt, waitOf(request));
        return Await.interruptibly(waiter.result()).map(won -> hold(request, attempt, won));
    }

    static Duration waitOf(AcquireRequest request) {
        return request.waitFor() == null ? Duration.ZERO : request.waitFor();
    }

    AcquireAttempt attempt(AcquireRequest request) {
        Duration ttl = request.ttl() == null ? options.ttl() : request.ttl();
        LockId lockId = request.lockId() == null ? LockId.generate() : request.lockId();
        return new AcquireAttempt(
                request.key(), lockId, ttl, request.holder(), request.lockId() != null, request.signal());
    }

    RenewingLock hold(AcquireRequest request, AcquireAttempt attempt, Waiter.Won won) {
        boolean isShared = attempt.holder() != null;
        Grant grant = new Grant(
                attempt.key(), won.granted(), attempt.ttl(), request.renew(), isShared, won.sentNanos(), won.turns());
        return handles.apply(grant, runtime);
    }

    @Override
    public boolean isLocked(String key) {
        return blocking.isLocked(LockKey.of(key));
    }

    @Override
    public Optional<LockInfo> getByKey(String key) {
        return blocking.lookup(LockKey.of(key));
    }

    @Override
    public AsyncLocks async() {
        return new RenewingAsyncLocks(this, runtime);
    }

    @Override
    public LocksById byLockId() {
        return new StoreLocksById(blocking);
    }

    @Override
    public LockAdmin admin() {
        return new StoreLockAdmin(store);
    }

    @Override
    public int held() {
        return runtime.renewals().count();
    }

    @Override
    public int waiting() {
        return lines.count();
    }

    /** The store below, with telemetry: for callers that want single attempts and no handles. */
    public LockStore store() {
        return store;
    }

    @Override
    public void close() {
        lines.close();
        timer.close();
        store.close();
    }
}
