package dev.leasehold.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.AcquireResult.Locked;
import dev.leasehold.syncguard.RetryPolicy;
import dev.leasehold.syncguard.SyncGuardLocks;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Work under a lock, waiting in line or by retry. */
class WithLockTest {
    private static final AcquireRequest REQUEST = AcquireRequest.of("ledger");
    private static final RetryPolicy QUICK = RetryPolicy.DEFAULT.retryDelay(Duration.ofNanos(1_000));

    private final FakeStore store = new FakeStore().granting();
    private final List<RuntimeException> reported = new ArrayList<>();
    private final RenewingLocks locks =
            new RenewingLocks(store, LockOptions.DEFAULT.onReleaseError((error, context) -> reported.add(error)));

    @AfterEach
    void close() {
        locks.close();
    }

    private String retrying(AcquireRequest request, RetryPolicy policy, CancelSignal acquisition) {
        return SyncGuardLocks.of(locks).withLock(request, policy, acquisition, lease -> "done");
    }

    private static void assertFails(ThrowingCallable call, LockErrorCode code, String message) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessage(message);
    }

    @Test
    void work_runs_while_the_lock_is_held_and_it_is_given_back() {
        boolean held = locks.withLock("ledger", HeldLock::isHeld);
        assertThat(held).isTrue();
        assertThat(store.released()).containsExactly(store.acquire(0).question().lockId());
    }

    @Test
    void retrying_work_does_the_same() {
        assertThat(retrying(REQUEST, QUICK, CancelSignal.none())).isEqualTo("done");
        assertThat(store.acquires).hasSize(1);
        assertThat(store.released()).containsExactly(store.acquire(0).question().lockId());
    }

    @Test
    void what_work_throws_is_thrown_after_the_lock_was_given_back() {
        assertThatThrownBy(() -> locks.withLock("ledger", lease -> {
                    throw new IOException("work");
                }))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> SyncGuardLocks.of(locks).withLock(REQUEST, QUICK, CancelSignal.none(), lease -> {
                    throw new IOException("work");
                }))
                .isInstanceOf(IOException.class);
        assertThat(store.releases).hasSize(2);
    }

    @Test
    void a_release_that_fails_does_not_spoil_the_result() {
        LockException down = new LockException(LockErrorCode.SERVICE_UNAVAILABLE, "down");
        store.onRelease = id -> CompletableFuture.failedFuture(down);
        assertThat(retrying(REQUEST, QUICK, CancelSignal.none())).isEqualTo("done");
        assertThat(reported).containsExactly(down);
    }

    @Test
    void a_release_that_fails_does_not_hide_what_work_threw() {
        store.onRelease = id -> CompletableFuture.failedFuture(LockException.aborted());
        assertThatThrownBy(() -> SyncGuardLocks.of(locks).withLock(REQUEST, QUICK, CancelSignal.none(), lease -> {
                    throw new IOException("work");
                }))
                .isInstanceOf(IOException.class);
        assertThat(reported).hasSize(1);
    }

    @Test
    void retrying_tries_again_without_standing_in_line() {
        store.onAcquire = attempt -> CompletableFuture.completedFuture(
                store.acquires.size() < 2 ? new Locked(Duration.ofHours(1)) : store.grant(attempt));
        assertThat(retrying(REQUEST.waitFor(Duration.ofHours(1)), QUICK, CancelSignal.none()))
                .isEqualTo("done");
        assertThat(store.acquires).hasSize(3);
        assertThat(store.watches).isEmpty();
    }

    @Test
    void retrying_gives_up_after_the_last_attempt() {
        store.locked();
        assertFails(
                () -> retrying(REQUEST, QUICK, CancelSignal.none()),
                LockErrorCode.ACQUISITION_TIMEOUT,
                "Failed to acquire lock after 11 attempts (lock contention)");
        assertThat(store.acquires).hasSize(11);
        assertThat(store.releases).isEmpty();
    }

    @Test
    void the_signal_of_the_request_goes_to_the_store_the_acquisition_signal_does_not() {
        CancelSignal user = new CancelSignal();
        retrying(REQUEST.signal(user), QUICK, new CancelSignal());
        assertThat(store.acquire(0).signal()).isSameAs(user);
        assertThat(store.releases.get(0).signal()).isSameAs(CancelSignal.none());
    }

    @Test
    void a_given_signal_keeps_the_store_from_being_asked() {
        CancelSignal given = new CancelSignal();
        given.cancel();
        assertFails(
                () -> retrying(REQUEST.signal(given), QUICK, CancelSignal.none()),
                LockErrorCode.ABORTED,
                "Operation cancelled by user signal");
        assertFails(
                () -> retrying(REQUEST, QUICK, given),
                LockErrorCode.ABORTED,
                "Acquisition cancelled by acquisition signal");
        assertThat(store.acquires).isEmpty();
    }

    @Test
    void an_acquisition_signal_that_comes_during_the_work_changes_nothing() {
        CancelSignal acquisition = new CancelSignal();
        boolean held = SyncGuardLocks.of(locks).withLock(REQUEST, QUICK, acquisition, lease -> {
            acquisition.cancel();
            return lease.isHeld();
        });
        assertThat(held).isTrue();
        assertThat(store.releases).hasSize(1);
    }

    @Test
    void a_failure_of_the_store_is_not_tried_again() {
        LockException down = new LockException(LockErrorCode.SERVICE_UNAVAILABLE, "down");
        store.onAcquire = attempt -> CompletableFuture.failedFuture(down);
        assertThatThrownBy(() -> retrying(REQUEST, QUICK, CancelSignal.none())).isSameAs(down);
        assertThat(store.acquires).hasSize(1);
    }

    @Test
    void an_unexpected_failure_is_internal() {
        store.onAcquire = attempt -> CompletableFuture.failedFuture(new IllegalStateException("odd"));
        assertThatThrownBy(() -> retrying(REQUEST, QUICK, CancelSignal.none()))
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.INTERNAL))
                .hasRootCauseMessage("odd");
    }

    @Test
    void the_ttl_of_the_request_or_of_the_options_is_asked_for() {
        retrying(REQUEST, QUICK, CancelSignal.none());
        retrying(REQUEST.ttl(Duration.ofSeconds(7)), QUICK, CancelSignal.none());
        assertThat(store.acquires)
                .extracting(asked -> asked.question().ttl())
                .containsExactly(Duration.ofSeconds(30), Duration.ofSeconds(7));
    }
}
