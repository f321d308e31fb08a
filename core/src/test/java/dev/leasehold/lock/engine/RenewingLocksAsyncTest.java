package dev.leasehold.lock.engine;

import static dev.leasehold.TestWaits.await;
import static dev.leasehold.TestWaits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.Grant;
import dev.leasehold.spi.Futures;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Acquiring without a thread. */
class RenewingLocksAsyncTest {
    private static final AcquireRequest TRY = AcquireRequest.of("ledger");
    private static final AcquireRequest PATIENT = TRY.waitFor(Duration.ofHours(1));

    private final FakeStore store = new FakeStore();
    private final CountDownLatch mayHold = new CountDownLatch(1);
    private final AtomicInteger holding = new AtomicInteger();
    private final RenewingLocks locks =
            new RenewingLocks(store, LockOptions.DEFAULT.pollInterval(Duration.ofHours(1)), this::hold);

    @AfterEach
    void close() {
        mayHold.countDown();
        locks.close();
    }

    private volatile boolean slow;

    private RenewingLock hold(Grant grant, LockRuntime runtime) {
        holding.incrementAndGet();
        if (slow) {
            try {
                mayHold.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return new RenewingLock(grant, runtime);
    }

    private CompletableFuture<Optional<HeldLock>> inLine() {
        CompletableFuture<Optional<HeldLock>> waiting = locks.async().tryAcquire(PATIENT);
        store.answerLocked(0);
        assertThat(store.openWatches()).hasSize(1);
        return waiting;
    }

    @Test
    void a_free_lock_is_delivered_in_a_thread_that_the_user_may_keep() {
        CompletableFuture<Optional<HeldLock>> result = locks.async().tryAcquire(TRY);
        CompletableFuture<Thread> user = new CompletableFuture<>();
        Futures.whenDone(result, (lock, failure) -> user.complete(Thread.currentThread()));
        store.answerGranted(0);
        assertThat(get(user).getName()).startsWith("leasehold-locks-callback-");
        assertThat(get(result)).isPresent();
    }

    @Test
    void failures_and_empty_answers_are_delivered_there_too() {
        CompletableFuture<Thread> empty = new CompletableFuture<>();
        CompletableFuture<Thread> failed = new CompletableFuture<>();
        Futures.whenDone(locks.async().tryAcquire(TRY), (r, e) -> empty.complete(Thread.currentThread()));
        Futures.whenDone(locks.async().tryAcquire(TRY), (r, e) -> failed.complete(Thread.currentThread()));
        store.answerLocked(0);
        store.acquire(1).answer().completeExceptionally(new IllegalStateException("odd"));
        assertThat(get(empty).getName()).startsWith("leasehold-locks-callback-");
        assertThat(get(failed).getName()).startsWith("leasehold-locks-callback-");
    }

    @Test
    void a_locked_lock_is_empty() {
        CompletableFuture<Optional<HeldLock>> result = locks.async().tryAcquire(TRY);
        store.answerLocked(0);
        assertThat(get(result)).isEmpty();
        assertThat(store.watches).isEmpty();
    }

    @Test
    void a_failure_is_the_stores_own() {
        LockException down = new LockException(LockErrorCode.SERVICE_UNAVAILABLE, "down");
        CompletableFuture<Optional<HeldLock>> result = locks.async().tryAcquire(TRY);
        store.acquire(0).answer().completeExceptionally(down);
        assertThatThrownBy(() -> get(result)).cause().isSameAs(down);
    }

    @Test
    void one_who_waits_stands_in_line() {
        CompletableFuture<Optional<HeldLock>> waiting = inLine();
        store.wakeAll();
        store.answerGranted(1);
        assertThat(get(waiting)).isPresent();
        assertThat(store.openWatches()).isEmpty();
    }

    @Test
    void one_who_waits_behind_a_line_does_not_overtake_it() {
        assertThat(inLine()).isNotDone();
        CompletableFuture<Optional<HeldLock>> second = locks.async().tryAcquire(PATIENT);
        assertThat(store.acquires).hasSize(1);
        store.wakeAll();
        store.answerGranted(1);
        store.wakeAll();
        store.answerGranted(2);
        assertThat(get(second).orElseThrow().lockId())
                .isEqualTo(store.acquire(2).question().lockId());
    }

    @Test
    void one_who_is_out_of_time_gets_empty() {
        CompletableFuture<Optional<HeldLock>> waiting = locks.async().tryAcquire(TRY.waitFor(Duration.ofMillis(20)));
        store.answerLocked(0);
        assertThat(get(waiting)).isEmpty();
        await().until(() -> store.openWatches().isEmpty());
    }

    @Test
    void cancelling_reaches_a_question_that_is_under_way() {
        locks.async().tryAcquire(TRY).cancel(true);
        assertThat(store.acquire(0).answer()).isCancelled();
    }

    @Test
    void cancelling_leaves_the_line() {
        CompletableFuture<Optional<HeldLock>> waiting = inLine();
        waiting.cancel(true);
        assertThat(store.openWatches()).isEmpty();
        assertThat(store.acquires).hasSize(1);
    }

    @Test
    void one_who_cancelled_before_the_answer_does_not_enter_the_line() {
        store.onAcquire = attempt -> new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterrupt) {
                return false;
            }
        };
        locks.async().tryAcquire(PATIENT).cancel(true);
        store.answerLocked(0);
        assertThat(store.watches).isEmpty();
    }

    @Test
    void a_grant_that_crosses_with_the_cancel_in_line_is_given_back() {
        CompletableFuture<Optional<HeldLock>> waiting = inLine();
        store.wakeAll();
        waiting.cancel(true);
        store.answerGranted(1);
        await().until(() ->
                store.released().equals(List.of(store.acquire(1).question().lockId())));
    }

    @Test
    void a_grant_that_crosses_with_the_cancel_on_delivery_is_given_back() {
        slow = true;
        CompletableFuture<Optional<HeldLock>> result = locks.async().tryAcquire(TRY);
        store.answerGranted(0);
        await().until(() -> holding.get() == 1);
        result.cancel(true);
        mayHold.countDown();
        await().until(() ->
                store.released().contains(store.acquire(0).question().lockId()));
    }

    @Test
    void an_earlier_grant_of_the_same_holder_is_not_given_back_and_not_renewed_for_ever() {
        slow = true;
        store.onRenew = extension -> CompletableFuture.completedFuture(FakeStore.extended(extension));
        AcquireRequest again = TRY.holder(Holder.of("billing", "1")).ttl(Duration.ofMillis(120));
        CompletableFuture<Optional<HeldLock>> result = locks.async().tryAcquire(again);
        LockId earlier = LockId.generate();
        store.acquire(0).answer().complete(store.grant(store.acquire(0).question(), earlier));
        await().until(() -> holding.get() == 1);
        result.cancel(true);
        mayHold.countDown();
        AtomicInteger before = new AtomicInteger(-1);
        await().alias("nobody has the handle, so nobody could stop the renewal")
                .pollInterval(Duration.ofMillis(150))
                .until(() -> before.getAndSet(store.renewals.size()) == store.renewals.size());
        assertThat(store.releases).isEmpty();
    }
}
