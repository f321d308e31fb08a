package dev.leasehold.lock.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.engine.FakeStore;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A holder that releases lets whoever is next in line ask in the same step. */
class HandOverTest {
    private static final LockKey KEY = LockKey.of("ledger");
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration TTL = Duration.ofSeconds(30);

    private final FakeStore store = new FakeStore();
    private final Timer timer = new Timer("hand-over-test");
    private final WaitLines lines = new WaitLines(store, timer, LONG);

    @AfterEach
    void close() {
        timer.close();
    }

    private Waiter join() {
        return lines.join(AcquireAttempt.of(KEY, TTL), LONG);
    }

    private static Grant grant(Waiter winner) {
        Waiter.Won won = winner.result().join().orElseThrow();
        return new Grant(KEY, won.granted(), TTL, false, false, won.sentNanos(), won.turns());
    }

    private boolean isHandedOver(Grant grant) {
        var unused = lines.release(store, grant, TTL); // may be answered later
        return store.handedOver.contains(grant.lockId());
    }

    @Test
    void the_next_in_line_asks_together_with_the_release() {
        Waiter first = join();
        Waiter second = join();
        store.wakeAll();
        store.answerGranted(0);
        assertThat(isHandedOver(grant(first))).isTrue();
        assertThat(store.acquire(1).question()).isEqualTo(second.attempt());
        store.answerGranted(1);
        assertThat(second.result()).isDone();
    }

    @Test
    void as_many_have_their_turn_as_were_in_line_when_the_lock_came_and_then_others_are_told() {
        Waiter first = join();
        Waiter second = join();
        Waiter third = join();
        store.wakeAll();
        store.answerGranted(0);
        join();
        assertThat(isHandedOver(grant(first))).isTrue();
        join();
        store.answerGranted(1);
        assertThat(isHandedOver(grant(second))).isTrue();
        join();
        store.answerGranted(2);
        Waiter.Won last = third.result().join().orElseThrow();
        assertThat(last.turns()).as("three others were in line").isZero();
        assertThat(isHandedOver(grant(third))).isFalse();
    }

    @Test
    void a_lock_that_came_without_a_line_is_not_handed_over() {
        join();
        LockId lockId = LockId.generate();
        Grant grant = new Grant(KEY, store.grant(AcquireAttempt.of(KEY, TTL), lockId), TTL, false, false, 0, 0);
        assertThat(isHandedOver(grant)).isFalse();
        assertThat(store.released()).containsExactly(lockId);
    }

    @Test
    void nobody_in_line_is_a_release_like_any_other() {
        Waiter first = join();
        Waiter second = join();
        store.wakeAll();
        store.answerGranted(0);
        second.result().cancel(true);
        assertThat(isHandedOver(grant(first))).isFalse();
    }

    @Test
    void whoever_is_refused_asks_again_once_the_release_is_over() {
        CompletableFuture<ReleaseResult> release = new CompletableFuture<>();
        store.onRelease = lockId -> release;
        Waiter first = join();
        Waiter second = join();
        store.wakeAll();
        store.answerGranted(0);
        assertThat(isHandedOver(grant(first))).isTrue();
        store.answerLocked(1);
        assertThat(store.acquires).hasSize(2);
        release.complete(ReleaseResult.RELEASED);
        assertThat(store.acquire(2).question()).isEqualTo(second.attempt());
    }

    @Test
    void a_question_that_is_under_way_is_not_asked_twice() {
        Waiter first = join();
        join();
        store.wakeAll();
        store.answerGranted(0);
        store.wakeAll();
        assertThat(isHandedOver(grant(first))).isFalse();
        assertThat(store.acquires).hasSize(2);
    }
}
