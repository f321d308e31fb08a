package dev.leasehold.postgres.lock;

import dev.leasehold.GroupStatistics;
import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.Fence;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.admin.Capabilities;
import dev.leasehold.lock.admin.Capabilities.TimeAuthority;
import dev.leasehold.lock.admin.ListedLock;
import dev.leasehold.lock.admin.LockListing;
import dev.leasehold.lock.direct.HolderLocks.HeldBy;
import dev.leasehold.lock.direct.HolderLocks.Release;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.ExtendResult;
import dev.leasehold.lock.spi.Extension;
import dev.leasehold.lock.spi.HandOver;
import dev.leasehold.lock.spi.LockStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.postgres.internal.BatchedStatement;
import dev.leasehold.postgres.internal.GroupCommit;
import dev.leasehold.postgres.internal.Listener;
import dev.leasehold.postgres.internal.PendingCall;
import dev.leasehold.spi.Futures;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lock contract on PostgreSQL: every transition is one of the {@link LockStatements}, sent by {@link GroupCommit}.
 *
 * <p>{@link #inCallerThread} is a view of the same store: it shares the connections, the wake-ups and what runs in the background.
 */
final class PostgresLockStore implements LockStore {
    private static final Logger log = LoggerFactory.getLogger(PostgresLockStore.class);

    private final PostgresLockConfig config;
    private final Timer timer;
    private final GroupCommit groups;
    private final WakeUps wakeUps;
    private final ReleaseNotices notices;
    private final boolean inCallerThread;
    final LockStatements statements;
    final GiveBacks giveBacks;

    PostgresLockStore(PostgresLockConfig config) {
        this.config = config;
        this.inCallerThread = false;
        this.timer = new Timer("leasehold-postgres");
        this.groups = new GroupCommit(
                config.dataSource(),
                config.connections(),
                config.groupLimit(),
                config.timeout(),
                timer,
                LockFailures.INSTANCE);
        this.statements = new LockStatements(config, new UnclaimedGrants(), this::released);
        this.wakeUps = new WakeUps(
                statements.node,
                timer,
                all -> new Listener(config.listenDataSource(), statements.channel(), all::notified, all::wakeAll),
                new Registrations());
        this.notices = new ReleaseNotices(this::notifySoon, wakeUps::notSent);
        this.giveBacks = new GiveBacks(
                release -> send(statements.release, release, CancelSignal.none(), false),
                timer::after,
                config.timeout());
        if (!config.sweepInterval().isZero()) {
            timer.after(config.sweepInterval().toNanos(), this::sweepRegularly);
        }
    }

    private PostgresLockStore(PostgresLockStore shared) {
        this.config = shared.config;
        this.inCallerThread = true;
        this.timer = shared.timer;
        this.groups = shared.groups;
        this.statements = shared.statements;
        this.wakeUps = shared.wakeUps;
        this.notices = shared.notices;
        this.giveBacks = shared.giveBacks;
    }

    @Override
    public LockStore inCallerThread() {
        return inCallerThread ? this : new PostgresLockStore(this);
    }

    @Override
    public CompletableFuture<AcquireResult> acquire(AcquireAttempt attempt) {
        return send(statements.acquire, attempt, attempt.signal(), inCallerThread);
    }

    @Override
    public CompletableFuture<ReleaseResult> release(LockId lockId, CancelSignal signal) {
        return send(statements.release, ReleaseStatement.Request.release(lockId), signal, inCallerThread);
    }

    @Override
    public boolean handsOver() {
        return true;
    }

    /** A release and an attempt in one message. */
    @Override
    public HandOver handOver(LockId lockId, AcquireAttempt next) {
        var released = call(statements.release, ReleaseStatement.Request.handOver(lockId), CancelSignal.none());
        var acquired = call(statements.acquire, next, next.signal());
        groups.send(List.of(released, acquired), inCallerThread && next.signal() == CancelSignal.none());
        return new HandOver(released.result(), acquired.result());
    }

    /** A lock id that the caller chose is released only once: a second try could hit what the caller was granted in between. */
    @Override
    public CompletableFuture<ReleaseResult> giveBack(AcquireAttempt attempt) {
        return giveBacks.giveBack(
                ReleaseStatement.Request.giveBack(attempt), attempt.callerChoseId() ? Duration.ZERO : attempt.ttl());
    }

    @Override
    public CompletableFuture<ExtendResult> extend(Extension extension, CancelSignal signal) {
        return send(statements.extend, extension, signal, inCallerThread);
    }

    @Override
    public List<CompletableFuture<ExtendResult>> extendAll(List<Extension> extensions) {
        return sendAll(statements.extend, extensions);
    }

    @Override
    public CompletableFuture<Optional<HeldBy>> renew(LockKey key, Holder holder, Duration more) {
        return send(statements.renewHeld, new RenewByHolderStatement.Renewal(key, holder, more));
    }

    @Override
    public CompletableFuture<Release> release(LockKey key, Holder holder) {
        return send(statements.releaseHeld, new ReleaseByKeyStatement.Request(key, holder, null));
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(LockKey key, Fence fence) {
        return send(statements.forceRelease, new ReleaseByKeyStatement.Request(key, null, fence))
                .thenApply(release -> release == Release.RELEASED);
    }

    @Override
    public CompletableFuture<List<ListedLock>> list(LockListing listing) {
        return send(statements.list, listing);
    }

    @Override
    public CompletableFuture<Boolean> isLocked(LockKey key, CancelSignal signal) {
        return send(statements.byKey, key.value(), signal, inCallerThread).thenApply(found -> {
            if (found.sweepable() && config.cleanupInIsLocked()) {
                sweep(key.value());
            }
            return found.live().isPresent();
        });
    }

    @Override
    public CompletableFuture<Optional<LockInfo>> lookup(LockKey key, CancelSignal signal) {
        return send(statements.byKey, key.value(), signal, inCallerThread).thenApply(LookupStatement.Found::live);
    }

    @Override
    public CompletableFuture<Optional<LockInfo>> lookup(LockId lockId, CancelSignal signal) {
        return send(statements.byId, lockId.value(), signal, inCallerThread).thenApply(LookupStatement.Found::live);
    }

    @Override
    public Watch watch(LockKey key, Runnable wakeUp) {
        return wakeUps.watch(key, wakeUp);
    }

    private <Q, R> CompletableFuture<R> send(BatchedStatement<Q, R> statement, Q request) {
        return send(statement, request, CancelSignal.none(), inCallerThread);
    }

    /** A thread that drives its own call does not see a signal before PostgreSQL has answered. */
    <Q, R> CompletableFuture<R> send(
            BatchedStatement<Q, R> statement, Q request, CancelSignal signal, boolean inCallerThread) {
        PendingCall<Q, R> call = call(statement, request, signal);
        if (!signal.isCancelled()) {
            groups.send(List.of(call), inCallerThread && signal == CancelSignal.none());
        }
        return call.result();
    }

    private static <Q, R> PendingCall<Q, R> call(BatchedStatement<Q, R> statement, Q request, CancelSignal signal) {
        PendingCall<Q, R> call = new PendingCall<>(statement, request);
        if (signal != CancelSignal.none()) {
            Runnable off = signal.onCancel(() -> call.fail(LockException.aborted()));
            Futures.whenDone(call.result(), (value, failure) -> off.run());
        }
        return call;
    }

    /** Sends requests in one statement, as far as its group limit allows. */
    private <Q, R> List<CompletableFuture<R>> sendAll(BatchedStatement<Q, R> statement, List<Q> requests) {
        List<PendingCall<Q, R>> calls = requests.stream()
                .map(request -> new PendingCall<>(statement, request))
                .toList();
        groups.send(calls, false);
        return calls.stream().map(PendingCall::result).toList();
    }

    private CompletableFuture<?> all(RowCountStatement statement, List<String> texts) {
        return CompletableFuture.allOf(sendAll(statement, texts).toArray(new CompletableFuture<?>[0]));
    }

    private void released(List<String> quiet, List<String> told) {
        wakeUps.released(quiet, told);
        notices.send(told);
    }

    /** Not while the release is answered: its lane is idle again a moment later, and carries the notification. */
    private CompletableFuture<?> notifySoon(List<String> payloads) {
        CompletableFuture<Boolean> sent = new CompletableFuture<>();
        timer.after(
                0,
                () -> Futures.whenDone(all(statements.notifyReleased, payloads), (done, failure) -> {
                    if (failure == null) {
                        sent.complete(true);
                    } else {
                        sent.completeExceptionally(failure);
                    }
                }));
        return sent;
    }

    /**
     * Deletes expired rows of a key, or of all, in the background. It repeats itself at once while there are more than one statement
     * deletes; if it fails, the next sweep deletes them.
     */
    void sweep(String keyOrAll) {
        CompletableFuture<Long> swept = send(statements.sweep, keyOrAll, CancelSignal.none(), false);
        Futures.logFailure(swept, log, "sweep_failed");
        Futures.whenDone(swept, (rows, failure) -> {
            if (failure == null && rows >= LockTables.SWEEP_LIMIT && keyOrAll.equals(RowCountStatement.ALL)) {
                sweep(keyOrAll);
            }
        });
    }

    private void sweepRegularly() {
        try {
            sweep(RowCountStatement.ALL);
        } finally {
            timer.after(config.sweepInterval().toNanos(), this::sweepRegularly);
        }
    }

    GroupStatistics statistics() {
        return groups.statistics();
    }

    PostgresLockConfig config() {
        return config;
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities("postgres", true, TimeAuthority.SERVER);
    }

    @Override
    public void close() {
        notices.close();
        wakeUps.close();
        groups.close();
        timer.close();
    }

    private final class UnclaimedGrants implements AcquireStatement.UnclaimedGrants {
        @Override
        public void onAbandoned(AcquireAttempt attempt) {
            var unused = giveBack(attempt); // logs its failures
        }

        @Override
        public void onOutcomeUnknown(AcquireAttempt attempt) {
            giveBacks.giveBackUnknown(attempt);
        }
    }

    /** Hints to the database, batched like all other calls. */
    private final class Registrations implements WakeUps.Registry {
        @Override
        public CompletableFuture<?> register(List<LockKey> keys) {
            return all(
                    statements.registerWaiter, keys.stream().map(LockKey::value).toList());
        }

        @Override
        public CompletableFuture<?> unregister(List<LockKey> keys) {
            return all(
                    statements.unregisterWaiter,
                    keys.stream().map(LockKey::value).toList());
        }
    }
}
