package dev.leasehold.client;

import dev.leasehold.lock.LockId;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.spi.Futures;
import dev.leasehold.spi.Nanos;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases unowned grants in the background, until the server has replied or the ttl is over: their caller has cancelled, no reply came to
 * the acquire, or none to the release of their handle.
 *
 * <p>Releases that failed are retried in rounds, with a backoff that ends with the first success. At most {@link #ROUND} retries are in
 * flight, so that they do not take the connections of other calls. Their number is bounded too: beyond {@link #MOST} a release is not
 * retried.
 */
final class BackgroundReleases {
    private static final Logger log = LoggerFactory.getLogger(BackgroundReleases.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

    /** So that a lock is free within about a second of when the server answers again. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    /** The most that are retried. */
    static final int MOST = 10_000;

    /** The most retries in flight. */
    static final int ROUND = 16;

    /** When to try again after "not found": the acquire may reach the database later than the release. */
    private static final List<Duration> RECHECKS =
            Stream.of(25, 100, 300, 1000).map(Duration::ofMillis).toList();

    private final Later later;
    private final Function<LockId, CompletableFuture<ReleaseResult>> release;
    private final ConcurrentHashMap<LockId, GiveBack> all = new ConcurrentHashMap<>();
    private final AtomicBoolean isFull = new AtomicBoolean();
    private final Deque<GiveBack> failed = new ArrayDeque<>();
    private Duration pause = FIRST_PAUSE;
    private int retrying;
    private boolean isRoundDue;
    private boolean isClosed;

    /** Runs something after a while. */
    interface Later {
        void after(long nanos, Runnable work);
    }

    BackgroundReleases(Later later, Function<LockId, CompletableFuture<ReleaseResult>> release) {
        this.later = later;
        this.release = release;
    }

    /** Begins to release a grant that may have come, or may still come, unless that is in flight. Returns the result of the first attempt. */
    CompletableFuture<ReleaseResult> begin(LockId lockId, Duration ttl) {
        GiveBack fresh = new GiveBack(lockId, ttl, RECHECKS);
        GiveBack back = add(fresh);
        if (back == fresh) {
            back.ask();
        }
        return back.asked();
    }

    /** Repeats, after a pause, the release of a grant that is known to have come. */
    void repeat(LockId lockId, Duration ttl) {
        GiveBack fresh = new GiveBack(lockId, ttl, List.of());
        add(fresh);
        if (fresh.isPending()) {
            retryLater(fresh);
        }
    }

    private GiveBack add(GiveBack fresh) {
        if (all.size() < MOST) {
            return all.computeIfAbsent(fresh.lockId, id -> fresh);
        }
        if (isFull.compareAndSet(false, true)) {
            log.warn("event=give_backs_full pending={}", MOST);
        }
        return fresh;
    }

    /** How many have not ended. */
    int pending() {
        return all.size();
    }

    /**
     * Cancels it, because the same lock id is acquired again. The result completes when no release is in flight any more; null if
     * there was nothing to cancel.
     */
    @Nullable CompletableFuture<?> callOff(LockId lockId) {
        GiveBack back = all.remove(lockId);
        return back == null ? null : back.asked().handle((result, failure) -> result);
    }

    /** Tries each once more, unless it is in flight, and waits a moment for the replies. Nothing is retried afterwards. */
    void finish(Duration atMost) {
        synchronized (this) {
            isClosed = true;
            failed.clear();
        }
        all.values().forEach(GiveBack::askUnlessUnderWay);
        CompletableFuture<?>[] asked =
                all.values().stream().map(GiveBack::asked).toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(asked).get(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.debug("event=give_back_unfinished", e);
        }
    }

    private synchronized void retryLater(GiveBack one) {
        if (!isClosed) {
            failed.add(one);
            scheduleRound();
        }
    }

    private void scheduleRound() {
        if (!isRoundDue && !failed.isEmpty()) {
            isRoundDue = true;
            later.after(pause.toNanos(), () -> {
                backOff();
                round();
            });
        }
    }

    private synchronized void backOff() {
        isRoundDue = false;
        Duration next = pause.multipliedBy(2);
        pause = next.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : next;
    }

    private void round() {
        List<GiveBack> next = new ArrayList<>();
        synchronized (this) {
            while (retrying < ROUND && !failed.isEmpty()) {
                next.add(failed.remove());
                retrying++;
            }
        }
        for (GiveBack one : next) {
            one.retry();
            Futures.whenDone(one.asked(), (result, failure) -> retried(failure == null));
        }
    }

    /** If the server replies, the others are retried at once. */
    private synchronized void retried(boolean isAnswered) {
        retrying--;
        if (!isAnswered) {
            scheduleRound();
        } else if (!failed.isEmpty()) {
            pause = FIRST_PAUSE;
            later.after(0, this::round);
        }
    }

    private final class GiveBack {
        private final LockId lockId;
        private final long untilNanos;
        private final Deque<Duration> looks;
        private CompletableFuture<ReleaseResult> asked = CompletableFuture.completedFuture(ReleaseResult.RELEASED);

        /** @param looks when to ask again if the server knows of no such grant */
        GiveBack(LockId lockId, Duration ttl, List<Duration> looks) {
            this.lockId = lockId;
            this.untilNanos = System.nanoTime() + Nanos.of(ttl);
            this.looks = new ArrayDeque<>(looks);
        }

        boolean isPending() {
            return all.get(lockId) == this;
        }

        synchronized CompletableFuture<ReleaseResult> asked() {
            return asked;
        }

        synchronized void ask() {
            asked = release.apply(lockId);
            Futures.whenDone(asked, this::answered);
        }

        /** Tries again, unless it was cancelled. */
        synchronized void retry() {
            if (isPending()) {
                ask();
            }
        }

        synchronized void askUnlessUnderWay() {
            if (asked.isDone()) {
                ask();
            }
        }

        private synchronized void answered(@Nullable ReleaseResult result, @Nullable Throwable failure) {
            boolean isOver = System.nanoTime() - untilNanos >= 0;
            if (isOver || (result != null && (result.ok() || looks.isEmpty()))) {
                all.remove(lockId, this);
                isFull.set(false);
            } else if (result != null) {
                later.after(looks.remove().toNanos(), this::retry);
            } else if (isPending()) {
                log.debug("event=give_back_failed lockIdHash={}", lockId.hash(), failure);
                retryLater(this);
            }
        }
    }
}
