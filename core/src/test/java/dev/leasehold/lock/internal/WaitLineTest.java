package dev.leasehold.lock.internal;

import static dev.leasehold.TestWaits.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.engine.FakeStore;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult.Locked;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WaitLineTest {
    private static final LockKey KEY = LockKey.of("ledger");
    private static final Duration LONG = Duration.ofHours(1);

    private final FakeStore store = new FakeStore();
    private final Timer timer = new Timer("line-test");
    private final WaitLines lines = new WaitLines(store, timer, LONG);

    @AfterEach
    void close() {
        timer.close();
    }

    private Waiter join() {
        return lines.join(AcquireAttempt.of(KEY, Duration.ofSeconds(30)), LONG);
    }

    private void assertAsked(Waiter... expected) {
        assertThat(store.acquires)
                .extracting(asked -> asked.question().lockId())
                .containsExactlyElementsOf(
                        Stream.of(expected).map(w -> w.attempt().lockId()).toList());
    }

    private static boolean hasWon(Waiter waiter) {
        return waiter.result().isDone() && waiter.result().join().isPresent();
    }

    @Test
    void a_line_watches_its_key_and_asks_when_the_watch_is_in_effect() {
        Waiter waiter = join();
        assertThat(store.watches)
                .singleElement()
                .satisfies(watch -> assertThat(watch.key).isEqualTo(KEY));
        store.wakeAll();
        assertAsked(waiter);
        assertThat(waiter.asked()).isEqualTo(1);
    }

    @Test
    void only_the_head_of_the_line_asks() {
        Waiter first = join();
        Waiter second = join();
        store.wakeAll();
        store.answerLocked(0);
        store.wakeAll();
        assertAsked(first, first);
        assertThat(second.asked()).isZero();
        assertThat(store.watches).as("one watch for the whole line").hasSize(1);
    }

    @Test
    void one_question_is_under_way_at_a_time_and_is_asked_again_when_woken_meanwhile() {
        Waiter waiter = join();
        store.wakeAll();
        store.wakeAll();
        store.wakeAll();
        assertAsked(waiter);
        store.answerLocked(0);
        assertAsked(waiter, waiter);
        store.answerLocked(1);
        assertAsked(waiter, waiter);
    }

    @Test
    void waiters_are_served_in_the_order_they_came() {
        Waiter first = join();
        Waiter second = join();
        Waiter third = join();
        for (int i = 0; i < 3; i++) {
            store.wakeAll();
            store.answerGranted(i);
        }
        assertAsked(first, second, third);
        assertThat(Stream.of(first, second, third)).allMatch(WaitLineTest::hasWon);
    }

    @Test
    void a_winner_learns_its_grant_and_when_it_was_asked_for() {
        Waiter waiter = join();
        long before = System.nanoTime();
        store.wakeAll();
        long after = System.nanoTime();
        store.answerGranted(0);
        Waiter.Won won = waiter.result().join().orElseThrow();
        assertThat(won.granted().lockId()).isEqualTo(waiter.attempt().lockId());
        assertThat(won.sentNanos()).isBetween(before, after);
    }

    @Test
    void one_who_is_out_of_time_leaves_empty_handed() {
        Waiter waiter = lines.join(AcquireAttempt.of(KEY, Duration.ofSeconds(30)), Duration.ofMillis(20));
        await().until(waiter.result()::isDone);
        assertThat(waiter.result().join()).isEmpty();
        await().until(() -> !lines.isWaitedFor(KEY));
    }

    @Test
    void one_whose_signal_is_given_leaves_as_aborted() {
        CancelSignal signal = new CancelSignal();
        Waiter waiter =
                lines.join(AcquireAttempt.of(KEY, Duration.ofSeconds(30)).signal(signal), LONG);
        Waiter next = join();
        signal.cancel();
        assertAborted(waiter);
        store.wakeAll();
        assertAsked(next);
    }

    @Test
    void one_whose_signal_was_given_before_does_not_even_watch() {
        CancelSignal signal = new CancelSignal();
        signal.cancel();
        assertAborted(lines.join(AcquireAttempt.of(KEY, Duration.ofSeconds(30)).signal(signal), LONG));
        assertThat(store.openWatches()).isEmpty();
        assertThat(lines.isWaitedFor(KEY)).isFalse();
    }

    private static void assertAborted(Waiter waiter) {
        assertThat(waiter.result()).isCompletedExceptionally();
        assertThatThrownBy(() -> waiter.result().get())
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.ABORTED));
    }

    @Test
    void one_who_leaves_from_the_middle_is_passed_over() {
        Waiter first = join();
        Waiter second = join();
        Waiter third = join();
        second.result().cancel(true);
        store.wakeAll();
        store.answerGranted(0);
        store.wakeAll();
        assertAsked(first, third);
    }

    @Test
    void an_empty_line_closes_its_watch_and_is_not_joined_again() {
        Waiter only = join();
        only.result().cancel(true);
        assertThat(store.openWatches()).isEmpty();
        assertThat(lines.isWaitedFor(KEY)).isFalse();
        Waiter later = join();
        assertThat(store.openWatches()).hasSize(1);
        store.wakeAll();
        assertAsked(later);
    }

    @Test
    void a_line_that_is_served_ends_too() {
        join();
        store.wakeAll();
        store.answerGranted(0);
        assertThat(store.openWatches()).isEmpty();
        assertThat(lines.isWaitedFor(KEY)).isFalse();
    }

    @Test
    void a_late_wake_up_of_an_ended_line_is_harmless() {
        join().result().cancel(true);
        store.watches.get(0).wakeUp.run();
        assertThat(store.acquires).isEmpty();
    }

    @Test
    void a_store_that_wakes_and_grants_at_once_leaves_no_watch_behind() {
        store.granting();
        store.onWatch = watch -> watch.wakeUp.run();
        assertThat(hasWon(join())).isTrue();
        assertThat(store.openWatches()).isEmpty();
        assertThat(lines.isWaitedFor(KEY)).isFalse();
    }

    @Test
    void a_grant_for_one_who_left_is_given_back_and_the_next_one_is_asked_for() {
        CompletableFuture<ReleaseResult> release = new CompletableFuture<>();
        store.onRelease = id -> release;
        Waiter gone = join();
        Waiter next = join();
        store.wakeAll();
        gone.result().cancel(true);
        store.answerGranted(0);
        await().until(() -> store.released().equals(List.of(gone.attempt().lockId())));
        assertAsked(gone);
        release.complete(ReleaseResult.RELEASED);
        await().until(() -> store.acquires.size() == 2);
        assertAsked(gone, next);
    }

    @Test
    void the_last_one_who_left_gives_its_grant_back_too() {
        Waiter gone = join();
        store.wakeAll();
        gone.result().cancel(true);
        store.answerGranted(0);
        await().until(() -> store.released().equals(List.of(gone.attempt().lockId())));
        assertThat(store.acquires).hasSize(1);
    }

    @Test
    void an_earlier_grant_of_the_same_holder_is_not_given_back() {
        Waiter gone = join();
        store.wakeAll();
        gone.result().cancel(true);
        store.acquire(0).answer().complete(store.grant(gone.attempt(), LockId.generate()));
        assertThat(store.releases).isEmpty();
    }

    @Test
    void a_question_that_fails_fails_its_waiter_alone() {
        LockException down = new LockException(LockErrorCode.SERVICE_UNAVAILABLE, "down");
        Waiter first = join();
        Waiter second = join();
        store.wakeAll();
        store.acquire(0).answer().completeExceptionally(down);
        assertThatThrownBy(() -> first.result().get()).cause().isSameAs(down);
        await().until(() -> store.acquires.size() == 2);
        assertAsked(first, second);
        store.answerGranted(1);
        assertThat(hasWon(second)).isTrue();
    }

    @Test
    void an_unexpected_failure_is_told_as_internal() {
        Waiter waiter = join();
        store.wakeAll();
        store.acquire(0).answer().completeExceptionally(new IllegalStateException("odd"));
        assertThatThrownBy(() -> waiter.result().get())
                .cause()
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.INTERNAL));
    }

    @Test
    void closing_ends_all_waiting_as_aborted() {
        Waiter first = join();
        Waiter second = join();
        lines.close();
        assertAborted(first);
        assertAborted(second);
        assertThat(store.openWatches()).isEmpty();
    }

    @Test
    void a_locked_answer_after_closing_is_harmless() {
        join();
        store.wakeAll();
        lines.close();
        store.acquire(0).answer().complete(new Locked(Duration.ZERO));
        assertThat(store.acquires).hasSize(1);
    }
}
