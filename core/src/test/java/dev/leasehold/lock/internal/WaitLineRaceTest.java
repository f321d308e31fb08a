package dev.leasehold.lock.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.Background;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.engine.FakeStore;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.spi.Futures;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A thread that waits for a future helps to run what hangs on it. So it may be the waiter's own thread that takes a served waiter
 * off the line, and it has to wait for the monitor to do so: until then the waiter is done and still in line.
 */
class WaitLineRaceTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final FakeStore store = new FakeStore();
    private final Timer timer = new Timer("race-test");
    private final WaitLines lines = new WaitLines(store, timer, LONG);

    @AfterEach
    void close() {
        timer.close();
    }

    private Waiter join() {
        return lines.join(
                AcquireAttempt.of(LockKey.of("ledger"), Duration.ofSeconds(30)).holder(Holder.of("billing", "1")),
                LONG);
    }

    private LockId asked(int n) {
        return store.acquire(n).question().lockId();
    }

    /**
     * Serves the first of the line while its own thread takes it off. What hangs on a future runs in the opposite order in which
     * it came: first the waiting thread is woken, then this one waits until that thread has taken the rest upon itself.
     */
    private Background<Optional<Waiter.Won>> serve(Waiter head) {
        Thread server = Thread.currentThread();
        CompletableFuture<Background<Optional<Waiter.Won>>> own = new CompletableFuture<>();
        Futures.whenDone(head.result(), (won, failure) -> {
            if (Thread.currentThread() == server) {
                own.join().awaitMonitor();
            }
        });
        own.complete(Background.call(() -> head.result().get()).awaitParked());
        store.wakeAll();
        store.wakeAll();
        store.answerGranted(0);
        return own.join();
    }

    @Test
    void the_next_one_is_asked_for_although_the_served_one_has_not_left_yet() {
        Waiter first = join();
        Waiter second = join();
        assertThat(serve(first).result()).isPresent();
        assertThat(store.acquires).hasSize(2);
        assertThat(asked(1)).isEqualTo(second.attempt().lockId());
    }

    @Test
    void nobody_is_asked_for_when_the_served_one_was_the_last() {
        assertThat(serve(join()).result()).isPresent();
        assertThat(store.acquires).hasSize(1);
        assertThat(store.openWatches()).isEmpty();
    }

    @Test
    void the_grant_of_the_served_one_is_never_given_back() {
        Waiter first = join();
        join();
        assertThat(serve(first).result()).isPresent();
        store.answerGranted(1);
        assertThat(store.released()).doesNotContain(first.attempt().lockId());
    }
}
