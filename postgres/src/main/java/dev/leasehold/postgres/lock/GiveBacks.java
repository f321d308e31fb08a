package dev.leasehold.postgres.lock;

import dev.leasehold.lock.LockException;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.spi.Futures;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases grants without an owner in the background, until that works or the ttl is over: the caller had gone when the grant came,
 * or the connection was lost during the acquire.
 *
 * <p>In the second case the acquire may not have begun yet, because its message is still on its way. So a release that finds no grant is
 * repeated once, when no message can be on its way any longer.
 *
 * <p>Failed releases are retried in rounds: a bounded number in each, with a backoff that ends with the first success. So an outage costs
 * one message a second at most, however many grants wait for its end. Their number is bounded too: beyond {@link #MOST} a release is
 * tried once.
 */
final class GiveBacks {
    private static final Logger log = LoggerFactory.getLogger(GiveBacks.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

    /** So that a lock is free within a second of when the store answers again. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    /** How many are retried. */
    static final int MOST = 10_000;

    /** How many are retried in one round: a group of releases. */
    static final int ROUND = 256;

    private final Function<ReleaseStatement.Request, CompletableFuture<ReleaseResult>> release;
    private final Later later;
    private final Duration timeout;
    private final Set<GiveBack> pending = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean isFull = new AtomicBoolean();
    private final Deque<GiveBack> failed = new ArrayDeque<>();
    private Duration pause = FIRST_PAUSE;
    private boolean isRoundDue;
    private boolean isRoundDueNow;

    /** Runs something after a while. */
    interface Later {
        void after(long nanos, Runnable work);
    }

    GiveBacks(
            Function<ReleaseStatement.Request, CompletableFuture<ReleaseResult>> release,
            Later later,
            Duration timeout) {
        this.release = release;
        this.later = later;
        this.timeout = timeout;
    }

    /** Ends a grant that exists. */
    CompletableFuture<ReleaseResult> giveBack(ReleaseStatement.Request wish, Duration ttl) {
        return begin(new GiveBack(wish, System.nanoTime() + ttl.toNanos(), false));
    }

    /** Ends a grant that may exist, or may still come. */
    void giveBackUnknown(AcquireAttempt attempt) {
        long until = System.nanoTime() + attempt.ttl().plus(timeout).toNanos();
        var unused = begin(new GiveBack(ReleaseStatement.Request.giveBackUnknown(attempt), until, true));
    }

    /** How many have not ended. */
    int pending() {
        return pending.size();
    }

    /** How long the last of them will still be tried. */
    Duration longest() {
        long now = System.nanoTime();
        return Duration.ofNanos(
                pending.stream().mapToLong(one -> one.untilNanos - now).max().orElse(0));
    }

    private CompletableFuture<ReleaseResult> begin(GiveBack one) {
        if (pending.size() < MOST) {
            pending.add(one);
        } else if (isFull.compareAndSet(false, true)) {
            log.warn("event=give_backs_full pending={}", MOST);
        }
        CompletableFuture<ReleaseResult> asked = release.apply(one.wish);
        Futures.whenDone(asked, (result, failure) -> answered(one, result, failure));
        return asked;
    }

    private void retry(GiveBack one) {
        Futures.whenDone(release.apply(one.wish), (result, failure) -> answered(one, result, failure));
    }

    private void answered(GiveBack one, @Nullable ReleaseResult result, @Nullable Throwable failure) {
        if (failure == null) {
            hurry();
        } else {
            log.debug("event=give_back_failed lockIdHash={}", one.wish.lockId().hash(), failure);
        }
        boolean isPending = pending.contains(one);
        if (isPending && failure instanceof LockException && one.isInTime()) {
            again(one);
        } else if (isPending && ReleaseResult.NOT_FOUND.equals(result) && one.isFirstLook) {
            one.isFirstLook = false;
            later.after(timeout.toNanos(), () -> retry(one));
        } else {
            pending.remove(one);
            isFull.set(false);
        }
    }

    private synchronized void again(GiveBack one) {
        failed.add(one);
        scheduleRound();
    }

    private void scheduleRound() {
        if (!isRoundDue) {
            isRoundDue = true;
            later.after(pause.toNanos(), () -> {
                doubled();
                round();
            });
        }
    }

    private synchronized void doubled() {
        isRoundDue = false;
        Duration next = pause.multipliedBy(2);
        pause = next.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : next;
    }

    /** The store answers, so the others are tried now. */
    private synchronized void hurry() {
        pause = FIRST_PAUSE;
        if (!failed.isEmpty() && !isRoundDueNow) {
            isRoundDueNow = true;
            later.after(0, () -> {
                synchronized (this) {
                    isRoundDueNow = false;
                }
                round();
            });
        }
    }

    private void round() {
        List<GiveBack> next = new ArrayList<>();
        synchronized (this) {
            while (next.size() < ROUND && !failed.isEmpty()) {
                next.add(failed.remove());
            }
            if (!failed.isEmpty()) {
                scheduleRound();
            }
        }
        next.forEach(this::retry);
    }

    /** One grant that is to end. */
    private static final class GiveBack {
        final ReleaseStatement.Request wish;
        final long untilNanos;

        /** Whether the first release may come too early to find the grant. */
        volatile boolean isFirstLook;

        GiveBack(ReleaseStatement.Request wish, long untilNanos, boolean isFirstLook) {
            this.wish = wish;
            this.untilNanos = untilNanos;
            this.isFirstLook = isFirstLook;
        }

        boolean isInTime() {
            return System.nanoTime() - untilNanos < 0;
        }
    }
}
