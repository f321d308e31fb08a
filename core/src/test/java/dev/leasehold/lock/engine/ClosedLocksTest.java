package dev.leasehold.lock.engine;

import static dev.leasehold.TestWaits.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.Background;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Closing while calls are under way: every call ends, and no grant is left behind. */
class ClosedLocksTest {
    private static final AcquireRequest PATIENT = AcquireRequest.of("ledger").waitFor(Duration.ofHours(1));

    private final FakeStore store = new FakeStore();
    private final RenewingLocks locks = new RenewingLocks(store, LockOptions.DEFAULT);

    @Test
    void the_store_is_closed_too() {
        locks.close();
        locks.close();
        assertThat(store.closed).isTrue();
    }

    @Test
    void waiting_threads_are_aborted() {
        store.locked();
        Background<HeldLock> waiting = Background.call(() -> locks.acquire(PATIENT));
        await().until(() -> store.openWatches().size() == 1);
        locks.close();
        assertThatThrownBy(waiting::result)
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.ABORTED));
    }

    @Test
    void waiting_futures_are_aborted() {
        CompletableFuture<Optional<HeldLock>> waiting = locks.async().tryAcquire(PATIENT);
        store.answerLocked(0);
        locks.close();
        await().until(waiting::isCompletedExceptionally);
        assertThatThrownBy(waiting::join)
                .cause()
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.ABORTED));
    }

    @Test
    void a_first_question_that_is_refused_after_closing_ends_the_wait_too() {
        CompletableFuture<Optional<HeldLock>> waiting = locks.async().tryAcquire(PATIENT);
        locks.close();
        store.answerLocked(0);
        await().until(waiting::isDone);
        assertThatThrownBy(waiting::join)
                .cause()
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.ABORTED));
        assertThat(store.openWatches()).isEmpty();
    }

    @Test
    void who_waits_at_a_store_that_waits_is_aborted_and_its_call_called_off() {
        store.waiting = true;
        CompletableFuture<Optional<HeldLock>> waiting = locks.async().tryAcquire(PATIENT);
        locks.close();
        await().until(waiting::isCompletedExceptionally);
        assertThat(store.acquire(0).answer()).isCancelled();
    }

    @Test
    void a_question_that_fails_after_closing_is_told() {
        CompletableFuture<Optional<HeldLock>> result = locks.async().tryAcquire(PATIENT);
        locks.close();
        store.acquire(0).answer().completeExceptionally(LockException.aborted());
        await().until(result::isDone);
        assertThat(result).isCompletedExceptionally();
    }

    @Test
    void a_grant_that_comes_after_closing_is_delivered_or_given_back() {
        CompletableFuture<Optional<HeldLock>> result = locks.async().tryAcquire(PATIENT);
        locks.close();
        store.answerGranted(0);
        await().until(result::isDone);
        boolean delivered = !result.isCompletedExceptionally() && result.join().isPresent();
        assertThat(delivered || !store.releases.isEmpty()).isTrue();
    }

    @Test
    void an_acquire_after_closing_fails_as_a_lock_exception_and_leaves_no_grant_behind() {
        store.granting();
        locks.close();
        try {
            locks.tryAcquire("ledger").ifPresent(HeldLock::close);
        } catch (LockException e) {
            assertThat(e.code()).isNotEqualTo(LockErrorCode.ACQUISITION_TIMEOUT);
        }
        assertThat(store.released()).hasSameSizeAs(store.acquires);
    }

    @Test
    void a_lock_that_is_still_held_can_be_given_back() {
        store.granting();
        HeldLock lease = locks.acquire("ledger");
        locks.close();
        assertThatCode(lease::close).doesNotThrowAnyException();
        assertThat(store.released()).containsExactly(lease.lockId());
    }
}
