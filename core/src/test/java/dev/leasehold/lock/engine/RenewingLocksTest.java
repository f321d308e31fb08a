package dev.leasehold.lock.engine;

import static dev.leasehold.TestWaits.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.Background;
import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.ExtendResult.Gone;
import dev.leasehold.lock.spi.ReleaseResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Acquiring in the caller's thread. */
class RenewingLocksTest {
    private static final AcquireRequest PATIENT = AcquireRequest.of("ledger").waitFor(Duration.ofHours(1));

    private final FakeStore store = new FakeStore();
    private final RenewingLocks locks = new RenewingLocks(store, LockOptions.DEFAULT.pollInterval(Duration.ofHours(1)));

    @AfterEach
    void close() {
        locks.close();
    }

    private static void assertFails(ThrowingCallable call, LockErrorCode code, String message) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageMatching(message);
    }

    /** Somebody who was refused and now stands in line. */
    private Background<HeldLock> inLine() {
        store.locked();
        Background<HeldLock> waiting = Background.call(() -> locks.acquire(PATIENT));
        await().until(() -> store.openWatches().size() == 1);
        waiting.awaitParked();
        store.onAcquire = attempt -> new CompletableFuture<>();
        return waiting;
    }

    @Test
    void a_free_lock_is_acquired_with_one_question_and_no_watch() {
        store.granting();
        HeldLock lease = locks.acquire("ledger");
        assertThat(lease.key()).isEqualTo(LockKey.of("ledger"));
        assertThat(lease.isHeld()).isTrue();
        assertThat(store.acquires).hasSize(1);
        assertThat(store.watches).isEmpty();
    }

    @Test
    void the_request_decides_what_the_options_left_open() {
        store.granting();
        Holder holder = Holder.of("billing", "1");
        CancelSignal signal = new CancelSignal();
        locks.acquire("ledger");
        locks.acquire(AcquireRequest.of("ledger")
                .ttl(Duration.ofSeconds(7))
                .holder(holder)
                .signal(signal));
        assertThat(store.acquire(0).question().ttl()).isEqualTo(Duration.ofSeconds(30));
        assertThat(store.acquire(0).question().holder()).isNull();
        assertThat(store.acquire(1).question().ttl()).isEqualTo(Duration.ofSeconds(7));
        assertThat(store.acquire(1).question().holder()).isEqualTo(holder);
        assertThat(store.acquire(1).question().signal()).isSameAs(signal);
    }

    @Test
    void each_call_draws_its_own_lock_id() {
        store.granting();
        assertThat(locks.acquire("ledger").lockId())
                .isNotEqualTo(locks.acquire("ledger").lockId());
    }

    @Test
    void a_repeated_grant_keeps_its_lock_id() {
        LockId earlier = LockId.generate();
        store.onAcquire = attempt -> CompletableFuture.completedFuture(store.grant(attempt, earlier));
        assertThat(locks.acquire("ledger").lockId()).isEqualTo(earlier);
    }

    @Test
    void one_who_tries_is_told_empty_when_it_is_locked() {
        store.locked();
        assertThat(locks.tryAcquire("ledger")).isEmpty();
        assertThat(store.acquires).hasSize(1);
        assertThat(store.watches).isEmpty();
    }

    @Test
    void one_who_acquires_is_told_when_the_wait_is_over() {
        store.locked();
        assertFails(
                () -> locks.acquire(AcquireRequest.of("ledger").waitFor(Duration.ZERO)),
                LockErrorCode.ACQUISITION_TIMEOUT,
                "lock 'ledger' was held by others for \\d+ ms \\(1 attempts\\): wait longer, or try again later");
        assertFails(
                () -> locks.acquire(AcquireRequest.of("ledger").waitFor(Duration.ofMillis(20))),
                LockErrorCode.ACQUISITION_TIMEOUT,
                "lock 'ledger' was held by others for \\d+ ms \\(\\d+ attempts\\): wait longer, or try again later");
        await().until(() -> store.openWatches().isEmpty());
    }

    @Test
    void one_who_tries_for_a_while_is_told_empty_when_it_is_over() {
        store.locked();
        assertThat(locks.tryAcquire(AcquireRequest.of("ledger").waitFor(Duration.ofMillis(20))))
                .isEmpty();
    }

    @Test
    void one_who_waits_is_woken() {
        Background<HeldLock> waiting = inLine();
        store.granting();
        store.wakeAll();
        assertThat(waiting.result().isHeld()).isTrue();
        assertThat(store.openWatches()).isEmpty();
    }

    @Test
    void one_who_comes_later_and_waits_does_not_overtake_the_line() {
        Background<HeldLock> first = inLine();
        int asked = store.acquires.size();
        Background<HeldLock> second =
                Background.call(() -> locks.acquire(PATIENT)).awaitParked();
        assertThat(store.acquires).as("it stands in line at once").hasSize(asked);
        store.granting();
        store.wakeAll();
        HeldLock won = first.result();
        assertThat(second.isDone()).isFalse();
        assertThat(store.acquire(asked).question().lockId()).isEqualTo(won.lockId());
        store.wakeAll();
        second.result();
    }

    @Test
    void one_who_does_not_wait_asks_although_there_is_a_line() {
        Background<HeldLock> waiting = inLine();
        store.granting();
        assertThat(locks.tryAcquire("ledger")).isPresent();
        assertThat(waiting.isDone()).isFalse();
    }

    @Test
    void an_interrupt_ends_the_wait_as_aborted_and_leaves_the_line() {
        Background<HeldLock> waiting = inLine();
        waiting.interrupt();
        assertFails(waiting::result, LockErrorCode.ABORTED, "Operation aborted by an interrupt");
        assertThat(store.openWatches()).isEmpty();
    }

    @Test
    void a_signal_ends_the_wait_as_aborted_and_leaves_the_line() {
        CancelSignal signal = new CancelSignal();
        store.locked();
        Background<HeldLock> waiting = Background.call(() -> locks.acquire(PATIENT.signal(signal)));
        await().until(() -> store.openWatches().size() == 1);
        signal.cancel();
        assertFails(waiting::result, LockErrorCode.ABORTED, "Operation aborted by signal");
        assertThat(store.openWatches()).isEmpty();
    }

    @Test
    void a_grant_that_crosses_with_an_interrupt_in_line_is_given_back() {
        Background<HeldLock> waiting = inLine();
        store.wakeAll();
        int last = store.acquires.size() - 1;
        waiting.interrupt();
        assertThatThrownBy(waiting::result).isInstanceOf(LockException.class);
        store.answerGranted(last);
        await().until(() ->
                store.released().equals(List.of(store.acquire(last).question().lockId())));
    }

    @Test
    void an_interrupt_cancels_a_first_question_that_is_under_way() {
        Background<Optional<HeldLock>> trying = Background.call(() -> locks.tryAcquire("ledger"));
        await().until(() -> store.acquires.size() == 1);
        trying.awaitParked().interrupt();
        assertFails(trying::result, LockErrorCode.ABORTED, "Operation aborted by an interrupt");
        assertThat(store.acquire(0).answer()).isCancelled();
    }

    @Test
    void a_grant_that_comes_together_with_an_interrupt_is_not_forgotten() {
        store.onAcquire = attempt -> new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterrupt) {
                return !complete(store.grant(attempt));
            }
        };
        Background<Boolean> trying = Background.call(() -> {
            try {
                return locks.tryAcquire("ledger").isPresent();
            } catch (LockException e) {
                return false;
            }
        });
        await().until(() -> store.acquires.size() == 1);
        trying.awaitParked().interrupt();
        boolean held = trying.result();
        assertThat(held || !store.releases.isEmpty())
                .as("either the caller has it or it was given back")
                .isTrue();
    }

    @Test
    void a_failure_of_the_store_is_never_told_as_locked() {
        LockException down = new LockException(LockErrorCode.SERVICE_UNAVAILABLE, "down");
        store.onAcquire = attempt -> CompletableFuture.failedFuture(down);
        assertThatThrownBy(() -> locks.tryAcquire("ledger")).isSameAs(down);
        assertThatThrownBy(() -> locks.acquire("ledger")).isSameAs(down);
    }

    @Test
    void a_failure_in_line_is_told_as_it_is() {
        LockException down = new LockException(LockErrorCode.SERVICE_UNAVAILABLE, "down");
        Background<HeldLock> waiting = inLine();
        store.onAcquire = attempt -> CompletableFuture.failedFuture(down);
        store.wakeAll();
        assertThatThrownBy(waiting::result).isSameAs(down);
    }

    @Test
    void release_extend_and_is_locked_go_to_the_store() {
        LockId id = LockId.generate();
        assertThat(locks.byLockId().release(id.value())).isTrue();
        assertThat(locks.byLockId().extend(id.value(), Duration.ofSeconds(9)))
                .contains(FakeStore.START.plusSeconds(10));
        assertThat(locks.isLocked("ledger")).isFalse();
        store.onRelease = lockId -> CompletableFuture.completedFuture(ReleaseResult.NOT_FOUND);
        store.onExtend = extension -> CompletableFuture.completedFuture(Gone.NOT_FOUND);
        assertThat(locks.byLockId().release(id.value())).isFalse();
        assertThat(locks.byLockId().extend(id.value(), Duration.ofSeconds(9))).isEmpty();
        assertThat(locks.admin().capabilities()).isEqualTo(store.capabilities());
    }
}
