package dev.leasehold.postgres.lock;

import dev.leasehold.GroupStatistics;
import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.HandOver;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.postgres.internal.BatchedStatement;
import dev.leasehold.postgres.internal.GroupCommit;
import dev.leasehold.postgres.internal.Listener;
import dev.leasehold.postgres.internal.PendingCall;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.StoreClock;
import dev.leasehold.spi.Futures;
import dev.leasehold.spi.LockHash;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The moving parts of one node: its statements, the lanes that carry them, its wake-ups and its sweep. */
final class LockEngine implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LockEngine.class);

    private final PostgresLockConfig config;
    private final Timer timer = new Timer("leasehold-postgres");
    private final String node = UUID.randomUUID().toString();
    private final GroupCommit groups;
    final GiveBacks giveBacks;
    private final RowCountStatement wait;
    private final RowCountStatement unwait;
    private final RowCountStatement tell;
    private final ReleaseNotices notices;
    final WakeUps wakeUps;
    final AcquireStatement acquire;
    final ReleaseStatement release;
    final ExtendStatement extend;
    final RenewByHolderStatement renewHeld;
    final ReleaseByKeyStatement releaseHeld;
    final ReleaseByKeyStatement forceRelease;
    final ListStatement list;
    final LookupStatement byKey;
    final LookupStatement byId;
    final RowCountStatement sweep;
    final Sql guard;
    final Sql savepoint;
    final Sql commitGuarded;
    final Sql releaseIn;
    final Sql transactionBegan;

    LockEngine(PostgresLockConfig config) {
        this.config = config;
        StoreClock clock = config.clock();
        groups = new GroupCommit(
                config.dataSource(),
                config.connections(),
                config.groupLimit(),
                config.timeout(),
                timer,
                LockFailures.INSTANCE);
        wait = notice("register_waiter", "keys", false);
        unwait = notice("unregister_waiter", "keys", false);
        sweep = notice("sweep", "keys", false);
        tell = notice("notify_released", "payloads", true);
        wakeUps = new WakeUps(
                node,
                timer,
                all -> new Listener(config.listenDataSource(), channel(), all::heard, all::wakeAll),
                new Waiters());
        giveBacks = new GiveBacks(this::release, timer::after, config.timeout());
        Sql patiently = sql("wait_for_advisory_lock");
        notices = new ReleaseNotices(this::tellSoon, wakeUps::notTold);
        acquire = new AcquireStatement(
                sql("acquire"),
                sql("reacquire"),
                sql("delete_expired"),
                patiently,
                clock,
                new AcquireStatement.UnclaimedGrants() {
                    @Override
                    public void onAbandoned(AcquireAttempt attempt) {
                        var unused = giveBack(attempt); // logs its failures
                    }

                    @Override
                    public void onOutcomeUnknown(AcquireAttempt attempt) {
                        giveBacks.giveBackUnknown(attempt);
                    }
                });
        release = new ReleaseStatement(
                sql("release"),
                sql("release_with_reason"),
                sql("finished_acquires"),
                patiently,
                clock,
                node,
                this::released);
        extend = new ExtendStatement(sql("extend"), patiently, clock);
        renewHeld = new RenewByHolderStatement(sql("renew_held"), patiently, clock);
        releaseHeld = new ReleaseByKeyStatement(sql("release_held"), this::shared, this::released);
        forceRelease = new ReleaseByKeyStatement(sql("force_release"), this::shared, this::released);
        list = new ListStatement(sql("list"), clock);
        byKey = LookupStatement.byKey(sql("lookup_by_key"), clock);
        byId = LookupStatement.byId(sql("lookup_by_id"), clock);
        guard = sql("guard");
        savepoint = sql("savepoint");
        commitGuarded = sql("commit_guarded");
        releaseIn = sql("release_in");
        transactionBegan = sql("transaction_began");
        if (!config.sweepInterval().isZero()) {
            timer.after(config.sweepInterval().toNanos(), this::sweepOnBeat);
        }
    }

    private Sql sql(String name) {
        return Sql.load("lock/" + name, config.tables().placeholders());
    }

    private RowCountStatement notice(String name, String parameter, boolean isHint) {
        return new RowCountStatement(sql(name), parameter, this::shared, isHint);
    }

    /** The parameters that are the same for all calls of this node. */
    private Map<String, @Nullable Object> shared() {
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("now", config.clock().now());
        values.put("node", node);
        values.put("channel", channel());
        values.put("ttl_ms", WakeUps.REGISTRATION.toMillis());
        return values;
    }

    /** Where wake-ups for these tables are told. */
    String channel() {
        return "leasehold_" + LockHash.of(config.tables().locks());
    }

    GroupStatistics statistics() {
        return groups.statistics();
    }

    PostgresLockConfig config() {
        return config;
    }

    /** A thread that drives its own call does not hear a signal before PostgreSQL has answered. */
    <Q, R> CompletableFuture<R> send(
            BatchedStatement<Q, R> kind, Q request, CancelSignal signal, boolean inCallerThread) {
        PendingCall<Q, R> call = call(kind, request, signal);
        groups.send(call, inCallerThread && signal == CancelSignal.none());
        return call.result();
    }

    private static <Q, R> PendingCall<Q, R> call(BatchedStatement<Q, R> kind, Q request, CancelSignal signal) {
        PendingCall<Q, R> call = new PendingCall<>(kind, request);
        if (signal != CancelSignal.none()) {
            Runnable off = signal.onCancel(() -> call.fail(LockException.aborted()));
            Futures.whenDone(call.result(), (value, failure) -> off.run());
        }
        return call;
    }

    private CompletableFuture<ReleaseResult> release(ReleaseStatement.Wish wish) {
        return send(release, wish, CancelSignal.none(), false);
    }

    /** A release and an attempt in one message. */
    HandOver handOver(LockId lockId, AcquireAttempt next, boolean inCallerThread) {
        var released = call(release, ReleaseStatement.Wish.handOver(lockId), CancelSignal.none());
        var acquired = call(acquire, next, next.signal());
        groups.sendAll(List.of(released, acquired), inCallerThread && next.signal() == CancelSignal.none());
        return new HandOver(released.result(), acquired.result());
    }

    /** Sends requests so that they travel in one statement, as far as their kind allows. */
    <Q, R> List<CompletableFuture<R>> sendAll(BatchedStatement<Q, R> kind, List<Q> requests) {
        List<PendingCall<Q, R>> calls = requests.stream()
                .map(request -> new PendingCall<>(kind, request))
                .toList();
        groups.sendAll(calls, false);
        return calls.stream().map(PendingCall::result).toList();
    }

    /** A lock id that the user drew is tried only once: a second try could hit what the user was granted in between. */
    CompletableFuture<ReleaseResult> giveBack(AcquireAttempt attempt) {
        return giveBack(
                ReleaseStatement.Wish.giveBack(attempt), attempt.callerChoseId() ? Duration.ZERO : attempt.ttl());
    }

    /** Releases what nobody has, in the background and until it works or the ttl is over. */
    CompletableFuture<ReleaseResult> giveBack(ReleaseStatement.Wish wish, Duration ttl) {
        return giveBacks.giveBack(wish, ttl);
    }

    private void released(List<String> quiet, List<String> told) {
        wakeUps.released(quiet, told);
        notices.tell(told);
    }

    /** Not in the middle of the release: soon its lane is idle again, and takes this along. */
    private CompletableFuture<?> tellSoon(List<String> notices) {
        CompletableFuture<Boolean> told = new CompletableFuture<>();
        timer.after(
                0,
                () -> Futures.whenDone(all(tell, notices), (done, failure) -> {
                    if (failure == null) {
                        told.complete(true);
                    } else {
                        told.completeExceptionally(failure);
                    }
                }));
        return told;
    }

    private CompletableFuture<?> all(RowCountStatement kind, List<String> texts) {
        return CompletableFuture.allOf(sendAll(kind, texts).toArray(new CompletableFuture<?>[0]));
    }

    /**
     * Deletes what is dead of a key, or of all, and goes on at once while there is more than one statement takes; in the background,
     * and if it fails the next sweep does it.
     */
    void sweep(String keyOrAll) {
        CompletableFuture<Long> swept = send(sweep, keyOrAll, CancelSignal.none(), false);
        Futures.logFailure(swept, log, "sweep_failed");
        Futures.whenDone(swept, (rows, failure) -> {
            if (failure == null && rows >= LockTables.SWEEP_LIMIT && keyOrAll.equals(RowCountStatement.ALL)) {
                sweep(keyOrAll);
            }
        });
    }

    private void sweepOnBeat() {
        try {
            sweep(RowCountStatement.ALL);
        } finally {
            timer.after(config.sweepInterval().toNanos(), this::sweepOnBeat);
        }
    }

    @Override
    public void close() {
        notices.close();
        wakeUps.close();
        groups.close();
        timer.close();
    }

    /** Hints to the database, grouped like everything else. */
    private final class Waiters implements WakeUps.Registry {
        @Override
        public CompletableFuture<?> register(List<LockKey> keys) {
            return all(wait, keys.stream().map(LockKey::value).toList());
        }

        @Override
        public CompletableFuture<?> unregister(List<LockKey> keys) {
            return all(unwait, keys.stream().map(LockKey::value).toList());
        }
    }
}
