package dev.leasehold.lock.spi;

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
import dev.leasehold.lock.direct.LockGrant;
import dev.leasehold.lock.direct.LocksById;
import dev.leasehold.lock.internal.AdminCalls;
import dev.leasehold.lock.internal.AsyncCalls;
import dev.leasehold.lock.internal.Await;
import dev.leasehold.lock.internal.ByIdCalls;
import dev.leasehold.lock.internal.LockEvents;
import dev.leasehold.lock.internal.Renewals;
import dev.leasehold.lock.internal.TelemetryStore;
import dev.leasehold.lock.internal.WaitLines;
import dev.leasehold.lock.internal.Waiter;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.spi.Futures;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link Locks} over any {@link LockStore}: it decides when to ask, wait, renew and tell; the store decides the rest. */
public class LeaseLocks implements Locks {
    private static final Logger log = LoggerFactory.getLogger(LeaseLocks.class);

    private final LockStore store;
    private final LockStore callerStore;
    private final BlockingLockStore blocking;
    private final LockOptions options;
    private final Timer timer = new Timer("leasehold-locks");
    private final WaitLines lines;
    private final LeaseRuntime runtime;
    private final BiFunction<Grant, LeaseRuntime, ? extends Lease> handles;

    public LeaseLocks(LockStore engine, LockOptions options, BiFunction<Grant, LeaseRuntime, ? extends Lease> handles) {
        LockEvents events = new LockEvents(options.listener());
        this.store = TelemetryStore.around(engine, events);
        this.callerStore = store.inCallerThread();
        this.blocking = store.blocking();
        this.options = options;
        this.lines = new WaitLines(store, timer, options.pollInterval());
        this.runtime = new LeaseRuntime(store, options, events, new Renewals(store, events, timer), lines, timer);
        this.handles = handles;
    }

    @Override
    public final HeldLock acquire(AcquireRequest request) {
        long start = System.nanoTime();
        Duration wait = request.waitFor() == null ? options.waitFor() : request.waitFor();
        Try outcome = tryFor(request, wait);
        if (outcome.lock == null) {
            long ms = (System.nanoTime() - start) / 1_000_000;
            throw new LockException(
                    LockErrorCode.ACQUISITION_TIMEOUT,
                    "Failed to acquire lock after " + ms + "ms (" + outcome.attempts + " attempts)",
                    request.key().value(),
                    null);
        }
        return outcome.lock;
    }

    @Override
    public final Optional<HeldLock> tryAcquire(AcquireRequest request) {
        Duration wait = request.waitFor() == null ? Duration.ZERO : request.waitFor();
        return Optional.ofNullable(tryFor(request, wait).lock);
    }

    /** One attempt in this thread, unless others are in line already; then the line. */
    private Try tryFor(AcquireRequest request, Duration wait) {
        AcquireAttempt attempt = attempt(request);
        int attempts = 0;
        if (wait.isZero() || !lines.isWaitedFor(attempt.key())) {
            attempts = 1;
            long sent = System.nanoTime();
            if (Await.interruptibly(callerStore.acquire(attempt)) instanceof Granted granted) {
                return new Try(hold(request, attempt, new Waiter.Won(granted, sent, 0)), attempts);
            }
            if (wait.isZero()) {
                return new Try(null, attempts);
            }
        }
        Waiter waiter = lines.join(attempt, wait);
        Optional<Waiter.Won> won = Await.interruptibly(waiter.result());
        return new Try(won.map(w -> hold(request, attempt, w)).orElse(null), attempts + waiter.asked());
    }

    private record Try(@Nullable Lease lock, int attempts) {}

    private CompletableFuture<Optional<HeldLock>> tryAcquireAsync(AcquireRequest request) {
        AcquireAttempt attempt = attempt(request);
        CompletableFuture<Optional<HeldLock>> result = new CompletableFuture<>();
        win(request, attempt, result, outcome -> timer.callback(() -> hand(result, request, attempt, outcome)));
        return result;
    }

    private CompletableFuture<Optional<LockGrant>> grantAsync(AcquireRequest request) {
        AcquireAttempt attempt = attempt(request);
        CompletableFuture<Optional<LockGrant>> result = new CompletableFuture<>();
        win(request, attempt, result, outcome -> grant(result, attempt, outcome));
        return result;
    }

    /** One attempt, unless others are in line already; then the line. Whatever comes of it, {@code deliver} is told once. */
    private void win(
            AcquireRequest request, AcquireAttempt attempt, CompletableFuture<?> result, Consumer<Outcome> deliver) {
        Duration wait = request.waitFor() == null ? Duration.ZERO : request.waitFor();
        if (!wait.isZero() && lines.isWaitedFor(attempt.key())) {
            inLine(attempt, wait, result, deliver);
            return;
        }
        long sent = System.nanoTime();
        CompletableFuture<AcquireResult> first = store.acquire(attempt);
        cancelWith(result, first);
        Futures.whenDone(first, (answer, failure) -> {
            if (failure != null) {
                deliver.accept(new Outcome(null, failure));
            } else if (answer instanceof Granted granted) {
                deliver.accept(new Outcome(new Waiter.Won(granted, sent, 0), null));
            } else if (wait.isZero()) {
                deliver.accept(new Outcome(null, null));
            } else if (!result.isDone()) {
                inLine(attempt, wait, result, deliver);
            }
        });
    }

    private void inLine(AcquireAttempt attempt, Duration wait, CompletableFuture<?> result, Consumer<Outcome> deliver) {
        Waiter waiter = lines.join(attempt, wait);
        cancelWith(result, waiter.result());
        Futures.whenDone(
                waiter.result(),
                (won, failure) -> deliver.accept(new Outcome(won == null ? null : won.orElse(null), failure)));
    }

    /** What came of trying and waiting: a grant, a failure, or neither. */
    private record Outcome(
            Waiter.@Nullable Won won, @Nullable Throwable failure) {}

    /** Hands a grant over in a thread that the user may keep; if the user has gone, gives it back. */
    private void hand(
            CompletableFuture<Optional<HeldLock>> result,
            AcquireRequest request,
            AcquireAttempt attempt,
            Outcome outcome) {
        Waiter.Won won = outcome.won();
        if (won == null) {
            finish(result, outcome);
            return;
        }
        Lease lock = hold(request, attempt, won);
        if (result.complete(Optional.of(lock))) {
            return;
        }
        lock.abandon();
        if (attempt.isNewGrant(won.granted().lockId())) {
            Futures.logFailure(store.giveBack(attempt), log, "give_back_failed");
        }
    }

    /** Passes a grant on; if nobody is there to take it, gives it back. */
    private void grant(CompletableFuture<Optional<LockGrant>> result, AcquireAttempt attempt, Outcome outcome) {
        if (outcome.won() == null) {
            finish(result, outcome);
            return;
        }
        Granted granted = outcome.won().granted();
        LockGrant grant = new LockGrant(
                attempt.key(), granted.lockId(), granted.fence(), granted.acquiredAt(), granted.expiresAt());
        if (!result.complete(Optional.of(grant)) && attempt.isNewGrant(granted.lockId())) {
            Futures.logFailure(store.giveBack(attempt), log, "give_back_failed");
        }
    }

    private static <T> void finish(CompletableFuture<Optional<T>> result, Outcome outcome) {
        if (outcome.failure() == null) {
            result.complete(Optional.empty());
        } else {
            result.completeExceptionally(Await.failure(outcome.failure()));
        }
    }

    private static void cancelWith(CompletableFuture<?> result, CompletableFuture<?> source) {
        Futures.whenDone(result, (value, failure) -> {
            if (result.isCancelled()) {
                source.cancel(true);
            }
        });
    }

    private AcquireAttempt attempt(AcquireRequest request) {
        Duration ttl = request.ttl() == null ? options.ttl() : request.ttl();
        LockId lockId = request.lockId() == null ? LockId.generate() : request.lockId();
        return new AcquireAttempt(
                request.key(), lockId, ttl, request.holder(), request.lockId() != null, request.signal());
    }

    private Lease hold(AcquireRequest request, AcquireAttempt attempt, Waiter.Won won) {
        boolean isShared = attempt.holder() != null;
        Grant grant = new Grant(
                attempt.key(), won.granted(), attempt.ttl(), request.renew(), isShared, won.sentNanos(), won.turns());
        return handles.apply(grant, runtime);
    }

    @Override
    public final boolean isLocked(String key) {
        return blocking.isLocked(LockKey.of(key));
    }

    @Override
    public final Optional<LockInfo> getByKey(String key) {
        return blocking.lookup(LockKey.of(key));
    }

    @Override
    public final AsyncLocks async() {
        return new AsyncCalls(store, this::tryAcquireAsync, this::grantAsync);
    }

    @Override
    public final LocksById byLockId() {
        return new ByIdCalls(blocking);
    }

    @Override
    public final LockAdmin admin() {
        return new AdminCalls(store);
    }

    /** How many locks handles of this node hold now. */
    public final int held() {
        return runtime.renewals().count();
    }

    /** How many calls of this JVM wait in line now. */
    public final int waiting() {
        return lines.count();
    }

    /** The store below, with telemetry: for callers that want single attempts and no handles. */
    public final LockStore store() {
        return store;
    }

    @Override
    public void close() {
        lines.close();
        timer.close();
        store.close();
    }
}
