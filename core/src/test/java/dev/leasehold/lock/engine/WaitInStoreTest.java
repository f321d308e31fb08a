package dev.leasehold.lock.engine;

import static dev.leasehold.TestWaits.await;
import static dev.leasehold.TestWaits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.Background;
import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.ExtendResult.Gone;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A store that waits by itself is given the whole wait, in one call. */
class WaitInStoreTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final AcquireRequest PATIENT = AcquireRequest.of("ledger").waitFor(HOUR);

    private final FakeStore store = new FakeStore();
    private final RenewingLocks locks = new RenewingLocks(store, LockOptions.DEFAULT.listener(event -> {}));

    WaitInStoreTest() {
        store.waiting = true;
    }

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void the_whole_wait_is_one_call() {
        CompletableFuture<Optional<HeldLock>> waiting = locks.async().tryAcquire(PATIENT);
        assertThat(store.waits).containsExactly(HOUR);
        assertThat(store.acquires).hasSize(1);
        assertThat(store.watches).isEmpty();
        store.answerGranted(0);
        assertThat(get(waiting)).isPresent();
        assertThat(store.acquires).hasSize(1);
    }

    @Test
    void who_does_not_wait_asks_as_always() {
        store.granting();
        assertThat(locks.tryAcquire("ledger")).isPresent();
        assertThat(store.waits).isEmpty();
    }

    @Test
    void a_wait_that_is_over_is_contention() {
        store.locked();
        assertThat(locks.tryAcquire(PATIENT)).isEmpty();
        assertThatThrownBy(() -> locks.acquire(PATIENT))
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.ACQUISITION_TIMEOUT));
    }

    @Test
    void cancelling_reaches_the_store() {
        locks.async().tryAcquire(PATIENT).cancel(true);
        assertThat(store.acquire(0).answer()).isCancelled();

        CancelSignal signal = new CancelSignal();
        CompletableFuture<Optional<HeldLock>> signalled = locks.async().tryAcquire(PATIENT.signal(signal));
        signal.cancel();
        assertThat(store.acquire(1).answer()).isCancelled();
        await().until(signalled::isCompletedExceptionally);
    }

    @Test
    void a_thread_that_waits_can_be_interrupted() {
        Background<HeldLock> waiting = Background.call(() -> locks.acquire(PATIENT));
        await().until(() -> store.acquires.size() == 1);
        waiting.interrupt();
        assertThatThrownBy(waiting::result)
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.ABORTED));
        assertThat(store.acquire(0).answer()).isCancelled();
    }

    @Test
    void a_failure_of_the_store_is_told() {
        CompletableFuture<Optional<HeldLock>> waiting = locks.async().tryAcquire(PATIENT);
        store.acquire(0).answer().completeExceptionally(new LockException(LockErrorCode.SERVICE_UNAVAILABLE, "away"));
        assertThatThrownBy(() -> get(waiting)).hasRootCauseMessage("away");
    }

    @Test
    void a_grant_that_was_long_in_coming_is_extended_before_it_is_handed_over() {
        CompletableFuture<Optional<HeldLock>> waiting =
                locks.async().tryAcquire(PATIENT.ttl(Duration.ofMillis(60)).withoutRenewal());
        long sent = System.nanoTime();
        await().until(() -> System.nanoTime() - sent > Duration.ofMillis(70).toNanos());
        store.answerGranted(0);
        HeldLock lease = get(waiting).orElseThrow();
        assertThat(store.extensions).hasSize(1);
        assertThat(store.extensions.get(0).question().lockId()).isEqualTo(lease.lockId());
        assertThat(lease.expiresAt()).isEqualTo(FakeStore.START.plusMillis(1060));
    }

    @Test
    void a_grant_that_died_on_its_way_is_not_handed_over() {
        store.onExtend = extension -> CompletableFuture.completedFuture(Gone.EXPIRED);
        CompletableFuture<Optional<HeldLock>> waiting = locks.async().tryAcquire(PATIENT.ttl(Duration.ofMillis(30)));
        long sent = System.nanoTime();
        await().until(() -> System.nanoTime() - sent > Duration.ofMillis(40).toNanos());
        store.answerGranted(0);
        assertThat(get(waiting)).isEmpty();
    }
}
