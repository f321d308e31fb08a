package dev.leasehold.lock.internal;

import static dev.leasehold.TestWaits.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.engine.FakeStore;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult.Locked;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a line asks although nobody woke it. */
class WaitLinePollTest {
    private static final LockKey KEY = LockKey.of("ledger");
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

    private final FakeStore store = new FakeStore();
    private final Timer timer = new Timer("poll-test");

    @AfterEach
    void close() {
        timer.close();
    }

    private Waiter join(Duration pollInterval, Duration patience) {
        WaitLines lines = new WaitLines(store, timer, pollInterval);
        return lines.join(AcquireAttempt.of(KEY, Duration.ofSeconds(30)), patience);
    }

    private void awaitAsked(int times) {
        await().until(() -> store.acquires.size() >= times);
    }

    @Test
    void it_asks_when_the_present_grant_ends() {
        join(LONG, LONG);
        store.wakeAll();
        long locked = System.nanoTime();
        store.acquire(0).answer().complete(new Locked(Duration.ofMillis(30)));
        awaitAsked(2);
        assertThat(System.nanoTime() - locked).isGreaterThanOrEqualTo(30_000_000L);
    }

    @Test
    void it_asks_now_and_then_although_the_grant_is_long() {
        join(Duration.ofMillis(40), LONG);
        store.wakeAll();
        long locked = System.nanoTime();
        store.acquire(0).answer().complete(new Locked(LONG));
        awaitAsked(2);
        assertThat(System.nanoTime() - locked).isGreaterThanOrEqualTo(20_000_000L);
    }

    @Test
    void after_a_grant_it_asks_for_the_next_one_as_if_the_key_were_locked() {
        WaitLines lines = new WaitLines(store, timer, LONG);
        lines.join(AcquireAttempt.of(KEY, Duration.ofMillis(30)), LONG);
        lines.join(AcquireAttempt.of(KEY, Duration.ofMillis(30)), LONG);
        store.wakeAll();
        long granted = System.nanoTime();
        store.answerGranted(0);
        awaitAsked(2);
        assertThat(System.nanoTime() - granted).isGreaterThanOrEqualTo(30_000_000L);
    }

    @Test
    void a_first_wake_up_that_never_comes_costs_no_more_than_a_poll() {
        Waiter waiter = join(Duration.ofMillis(40), LONG);
        awaitAsked(1);
        store.answerGranted(0);
        assertThat(waiter.result().join()).isPresent();
    }

    @Test
    void one_may_wait_forever() {
        Waiter waiter = join(LONG, FOREVER);
        store.wakeAll();
        store.answerGranted(0);
        assertThat(waiter.result().join()).isPresent();
    }

    @Test
    void one_may_never_poll() {
        join(FOREVER, LONG);
        store.wakeAll();
        store.acquire(0).answer().complete(new Locked(Duration.ofMillis(1)));
        awaitAsked(2);
    }
}
