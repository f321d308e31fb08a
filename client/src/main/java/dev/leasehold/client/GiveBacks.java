package dev.leasehold.client;

import dev.leasehold.lock.LockId;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.spi.Futures;
import dev.leasehold.spi.Nanos;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Grants that nobody has, on their way back: their caller had gone, or no answer came. Each is released in the background until
 * that works or its ttl is over.
 */
final class GiveBacks {
    private static final Logger log = LoggerFactory.getLogger(GiveBacks.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    /** When the server is asked again that knew of no grant: the call that may have granted can be slower than the release. */
    private static final List<Duration> LOOKS =
            Stream.of(25, 100, 300, 1000).map(Duration::ofMillis).toList();

    private final Timer timer;
    private final Function<LockId, CompletableFuture<ReleaseResult>> release;
    private final ConcurrentHashMap<LockId, GiveBack> all = new ConcurrentHashMap<>();

    GiveBacks(Timer timer, Function<LockId, CompletableFuture<ReleaseResult>> release) {
        this.timer = timer;
        this.release = release;
    }

    /** Begins to give it back, unless that is under way; what comes of the first try. */
    CompletableFuture<ReleaseResult> begin(LockId lockId, Duration ttl) {
        GiveBack fresh = new GiveBack(lockId, System.nanoTime() + Nanos.of(ttl));
        GiveBack back = all.computeIfAbsent(lockId, id -> fresh);
        if (back == fresh) {
            back.ask(FIRST_PAUSE);
        }
        return back.asked();
    }

    /**
     * Calls it off, because the same lock id is asked for again. The result is done when no release is under way any more; null
     * if there was nothing to call off.
     */
    @Nullable CompletableFuture<?> callOff(LockId lockId) {
        GiveBack back = all.remove(lockId);
        return back == null ? null : back.asked().handle((result, failure) -> result);
    }

    /** Waits a moment for what is under way. */
    void finish(Duration atMost) {
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

    private final class GiveBack {
        private final LockId lockId;
        private final long untilNanos;
        private int looks;
        private CompletableFuture<ReleaseResult> asked = CompletableFuture.completedFuture(ReleaseResult.RELEASED);

        GiveBack(LockId lockId, long untilNanos) {
            this.lockId = lockId;
            this.untilNanos = untilNanos;
        }

        synchronized CompletableFuture<ReleaseResult> asked() {
            return asked;
        }

        synchronized void ask(Duration pause) {
            if (all.get(lockId) == this) {
                asked = release.apply(lockId);
                Futures.whenDone(asked, (result, failure) -> answer(result, failure, pause));
            }
        }

        private synchronized void answer(@Nullable ReleaseResult result, @Nullable Throwable failure, Duration pause) {
            if (System.nanoTime() - untilNanos >= 0 || (result != null && (result.ok() || looks == LOOKS.size()))) {
                all.remove(lockId, this);
            } else if (result != null) {
                timer.after(LOOKS.get(looks++).toNanos(), () -> ask(pause));
            } else {
                log.debug("event=give_back_failed lockIdHash={}", lockId.hash(), failure);
                Duration doubled = pause.multipliedBy(2);
                Duration next = doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
                timer.after(pause.toNanos(), () -> ask(next));
            }
        }
    }
}
