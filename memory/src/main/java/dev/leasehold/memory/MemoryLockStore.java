package dev.leasehold.memory;

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
import dev.leasehold.lock.direct.HolderLocks.HeldBy;
import dev.leasehold.lock.direct.HolderLocks.Release;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Locked;
import dev.leasehold.lock.spi.ExtendResult;
import dev.leasehold.lock.spi.ExtendResult.Extended;
import dev.leasehold.lock.spi.ExtendResult.Gone;
import dev.leasehold.lock.spi.Extension;
import dev.leasehold.lock.spi.Liveness;
import dev.leasehold.lock.spi.LockStore;
import dev.leasehold.lock.spi.ReleaseResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lock contract as plainly as it can be written: every transition is a few lines under one monitor.
 *
 * <ol>
 *   <li>A row stands for a grant. It counts while {@link Liveness#isLive} says so; a dead row is as good as none.
 *   <li>A fence counter outlives all rows of its key.
 *   <li>Wake-ups are given in the thread that released, after it has left the monitor.
 * </ol>
 *
 * All futures are complete when they are returned. It needs no closing: {@code close} does nothing, and nodes may share it.
 */
public final class MemoryLockStore implements LockStore {
    private static final Logger log = LoggerFactory.getLogger(MemoryLockStore.class);
    private static final Capabilities CAPABILITIES =
            new Capabilities("memory", true, Capabilities.TimeAuthority.CLIENT);

    private static final Comparator<String> BY_BYTES =
            Comparator.comparing(text -> text.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    private final Object monitor = new Object();
    private final LongSupplier nowMs;
    private final Rows rows = new Rows();
    private final Map<LockKey, Long> fences = new HashMap<>();
    private final WakeUps wakeUps = new WakeUps();

    /** A store by the clock of this machine. */
    public MemoryLockStore() {
        this(System::currentTimeMillis);
    }

    /** A store whose time, in epoch milliseconds, is {@code nowMs}. */
    public MemoryLockStore(LongSupplier nowMs) {
        this.nowMs = nowMs;
    }

    @Override
    public CompletableFuture<AcquireResult> acquire(AcquireAttempt attempt) {
        return call(attempt.signal(), () -> grant(attempt));
    }

    private AcquireResult grant(AcquireAttempt attempt) {
        long now = nowMs.getAsLong();
        Row row = rows.get(attempt.key());
        if (row == null || !row.isLive(now)) {
            checkNotInUse(attempt);
            return granted(Row.of(attempt, nextFence(attempt.key()), now), now);
        }
        if (row.isSameGrantFor(attempt)) {
            return granted(row.again(attempt, now), now);
        }
        return new Locked(row.freeIn(now));
    }

    /** A grant that is dead counts too, until it is swept: its lock id could still be used to release it. */
    private void checkNotInUse(AcquireAttempt attempt) {
        Row other = rows.get(attempt.lockId());
        if (other != null && !other.key().equals(attempt.key())) {
            throw LockException.lockIdInUse();
        }
    }

    private Granted granted(Row row, long now) {
        rows.put(row, now);
        return new Granted(row.lockId(), row.fence(), row.acquiredAt(), row.expiresAt());
    }

    private Fence nextFence(LockKey key) {
        long next = fences.getOrDefault(key, 0L) + 1;
        if (next > Fence.MAX) {
            throw LockException.fenceOverflow(key);
        }
        if (next > Fence.WARN) {
            log.warn("event=fence_near_limit keyHash={} fence={} max={}", key.hash(), next, Fence.MAX);
        }
        fences.put(key, next);
        return Fence.of(next);
    }

    @Override
    public CompletableFuture<ReleaseResult> release(LockId lockId, CancelSignal signal) {
        return ending(signal, () -> end(lockId));
    }

    @Override
    public CompletableFuture<ReleaseResult> giveBack(AcquireAttempt attempt) {
        return ending(CancelSignal.none(), () -> {
            Row row = rows.get(attempt.lockId());
            boolean isRepeated = row != null && attempt.isRepeatable() && !row.isUntouchedSince(attempt);
            return isRepeated ? Ended.nothing(ReleaseResult.NOT_FOUND) : end(attempt.lockId());
        });
    }

    private Ended<ReleaseResult> end(LockId lockId) {
        Row row = rows.get(lockId);
        if (row == null) {
            return Ended.nothing(ReleaseResult.NOT_FOUND);
        }
        if (!row.isLive(nowMs.getAsLong())) {
            return Ended.nothing(ReleaseResult.EXPIRED);
        }
        return end(row, ReleaseResult.RELEASED);
    }

    private <T> Ended<T> end(Row row, T result) {
        rows.remove(row);
        return new Ended<>(result, Optional.of(row.key()));
    }

    /** A transition that may set a key free. */
    private <T> CompletableFuture<T> ending(CancelSignal signal, Supplier<Ended<T>> transition) {
        return call(signal, transition).thenApply(ended -> {
            ended.key().ifPresent(wakeUps::give);
            return ended.result();
        });
    }

    /** What a release says, and the key that it set free. */
    private record Ended<T>(T result, Optional<LockKey> key) {
        static <T> Ended<T> nothing(T result) {
            return new Ended<>(result, Optional.empty());
        }
    }

    @Override
    public CompletableFuture<Optional<HeldBy>> renew(LockKey key, Holder holder, Duration more) {
        return call(CancelSignal.none(), () -> {
            long now = nowMs.getAsLong();
            return live(key, now)
                    .filter(row -> holder.equals(row.holder()))
                    .map(row -> row.longerBy(more.toMillis(), now))
                    .map(row -> {
                        rows.put(row, now);
                        return row.heldBy();
                    });
        });
    }

    @Override
    public CompletableFuture<Release> release(LockKey key, Holder holder) {
        return ending(CancelSignal.none(), () -> {
            Optional<Row> row = live(key, nowMs.getAsLong());
            if (row.isEmpty()) {
                return Ended.nothing(Release.NOT_HELD);
            }
            return holder.equals(row.get().holder())
                    ? end(row.get(), Release.RELEASED)
                    : Ended.nothing(Release.HELD_BY_OTHER);
        });
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(LockKey key, Fence fence) {
        return ending(
                CancelSignal.none(),
                () -> live(key, nowMs.getAsLong())
                        .filter(row -> row.fence().equals(fence))
                        .map(row -> end(row, true))
                        .orElseGet(() -> Ended.nothing(false)));
    }

    @Override
    public CompletableFuture<List<ListedLock>> list(LockListing listing) {
        return call(CancelSignal.none(), () -> {
            long now = nowMs.getAsLong();
            return rows.all()
                    .filter(row -> row.isLive(now))
                    .filter(row -> row.key().value().startsWith(listing.prefix()))
                    .filter(row -> BY_BYTES.compare(row.key().value(), listing.pivot()) >= 0)
                    .sorted(Comparator.comparing(row -> row.key().value(), BY_BYTES))
                    .limit(listing.limit())
                    .map(Row::listed)
                    .toList();
        });
    }

    private Optional<Row> live(LockKey key, long now) {
        return Optional.ofNullable(rows.get(key)).filter(row -> row.isLive(now));
    }

    @Override
    public CompletableFuture<ExtendResult> extend(Extension extension, CancelSignal signal) {
        return call(signal, () -> prolong(extension));
    }

    @Override
    public List<CompletableFuture<ExtendResult>> extendAll(List<Extension> extensions) {
        return extensions.stream().map(e -> extend(e, CancelSignal.none())).toList();
    }

    private ExtendResult prolong(Extension extension) {
        long now = nowMs.getAsLong();
        Row row = rows.get(extension.lockId());
        if (row == null) {
            return Gone.NOT_FOUND;
        }
        if (!row.isLive(now)) {
            return Gone.EXPIRED;
        }
        Row longer = row.expiringAt(now + extension.ttl().toMillis());
        rows.put(longer, now);
        return new Extended(longer.expiresAt());
    }

    @Override
    public CompletableFuture<Boolean> isLocked(LockKey key, CancelSignal signal) {
        return lookup(key, signal).thenApply(Optional::isPresent);
    }

    @Override
    public CompletableFuture<Optional<LockInfo>> lookup(LockKey key, CancelSignal signal) {
        return call(signal, () -> infoIfLive(rows.get(key)));
    }

    @Override
    public CompletableFuture<Optional<LockInfo>> lookup(LockId lockId, CancelSignal signal) {
        return call(signal, () -> infoIfLive(rows.get(lockId)));
    }

    private Optional<LockInfo> infoIfLive(@Nullable Row row) {
        return row != null && row.isLive(nowMs.getAsLong()) ? Optional.of(row.info()) : Optional.empty();
    }

    @Override
    public Watch watch(LockKey key, Runnable wakeUp) {
        return wakeUps.watch(key, wakeUp);
    }

    /** One transition, all of it under the monitor. A signal comes before it or after it: a grant cannot cross with it here. */
    private <T> CompletableFuture<T> call(CancelSignal signal, Supplier<T> transition) {
        try {
            synchronized (monitor) {
                signal.check();
                return CompletableFuture.completedFuture(transition.get());
            }
        } catch (LockException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Sets the last fence of a key, so that tests can come near the limit. */
    public void setFenceCounter(LockKey key, long value) {
        synchronized (monitor) {
            fences.put(key, value);
        }
    }

    /** The rows in memory, dead ones included. */
    int rowCount() {
        synchronized (monitor) {
            return rows.size();
        }
    }

    /** The keys that somebody watches. */
    int watchedKeys() {
        return wakeUps.size();
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public void close() {}
}
