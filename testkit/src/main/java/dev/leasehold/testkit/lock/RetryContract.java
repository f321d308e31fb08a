package dev.leasehold.testkit.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.Fence;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockEvent.Result;
import dev.leasehold.lock.LockEvent.Type;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.engine.RenewingLocks;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.syncguard.RetryPolicy;
import dev.leasehold.syncguard.SyncGuardLocks;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Work under a lock: it runs while the lock is held, its outcome comes out, and the lock is free afterwards. */
public class RetryContract extends LockContract {
    private static final RetryPolicy QUICK = RetryPolicy.DEFAULT
            .retryDelay(Duration.ofMillis(10))
            .backoff(RetryPolicy.Backoff.FIXED)
            .maxRetries(100_000)
            .timeout(NEVER);

    @Test
    void work_runs_under_the_lock_and_its_result_comes_out() {
        assertThat(this.<Boolean>run("managed", () -> isLocked("managed"))).isTrue();
        assertThat(isLocked("managed")).isFalse();
        assertThat(this.<Boolean>locked("managed", () -> isLocked("managed"))).isTrue();
        assertThat(isLocked("managed")).isFalse();
    }

    @Test
    void any_result_comes_out() {
        assertThat(this.<String>run("values", () -> "text")).isEqualTo("text");
        assertThat(this.<Integer>run("values", () -> 42)).isEqualTo(42);
        assertThat(this.<List<String>>run("values", () -> List.of("a"))).containsExactly("a");
    }

    @Test
    void side_effects_are_visible_afterwards() {
        List<String> seen = new ArrayList<>();
        run("effect", () -> seen.add("done"));
        assertThat(seen).containsExactly("done");
    }

    @Test
    void work_knows_its_fence_and_its_deadline() {
        SyncGuardLocks.of(locks()).withLock(request("informed"), RetryPolicy.DEFAULT, CancelSignal.none(), lock -> {
            assertThat(lock.fence().value()).isPositive();
            assertThat(lock.expiresAt()).isAfter(now());
            lock.checkpoint();
            return true;
        });
    }

    @Test
    void an_exception_comes_out_and_the_lock_is_free() {
        assertThatThrownBy(() -> run("broken", () -> {
                    throw new IllegalStateException("broken work");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("broken work");
        assertThat(isLocked("broken")).isFalse();
    }

    @Test
    void a_checked_exception_comes_out_as_itself() {
        assertThatThrownBy(() -> locks().withLock(key("checked"), lock -> {
                    throw new IOException("from " + lock.key().value());
                }))
                .isInstanceOf(IOException.class);
        assertThat(isLocked("checked")).isFalse();
    }

    @Test
    void who_is_ready_to_retry_gets_its_turn() {
        Granted holder = grant("busy");
        HeardEvents heard = new HeardEvents();
        RenewingLocks node = node(LockOptions.DEFAULT.listener(heard));
        CompletableFuture<String> second = inBackground(
                () -> SyncGuardLocks.of(node).withLock(request("busy"), QUICK, CancelSignal.none(), lock -> "turn"));
        awaitInLine(heard);

        release(holder);
        assertThat(soon(second)).isEqualTo("turn");
    }

    @Test
    void who_runs_out_of_time_is_told() {
        grant("occupied");
        RetryPolicy policy = QUICK.timeout(Duration.ofMillis(200));
        assertThat(timeout("occupied", policy).getMessage())
                .matches("Failed to acquire lock after \\d+ms \\(\\d+ attempts\\)"
                        + "|Timeout reached before next retry \\(\\d+ms elapsed\\)");
    }

    @Test
    void who_runs_out_of_attempts_is_told() {
        grant("occupied");
        assertThat(timeout("occupied", QUICK.maxRetries(3)))
                .hasMessage("Failed to acquire lock after 4 attempts (lock contention)");
        assertThat(timeout("occupied", QUICK.maxRetries(0)))
                .hasMessage("Failed to acquire lock after 1 attempts (lock contention)");
    }

    @Test
    void no_delay_means_no_retry() {
        grant("occupied");
        assertThat(timeout("occupied", QUICK.retryDelay(Duration.ZERO)).getMessage())
                .startsWith("Timeout reached before next retry");
    }

    @Test
    void no_time_means_no_attempt() {
        HeardEvents heard = new HeardEvents();
        RenewingLocks node = node(LockOptions.DEFAULT.listener(heard));
        assertFails(
                LockErrorCode.ACQUISITION_TIMEOUT,
                () -> SyncGuardLocks.of(node)
                        .withLock(request("free"), QUICK.timeout(Duration.ZERO), CancelSignal.none(), lock -> 1));
        assertThat(heard.all()).isEmpty();
    }

    @Test
    void a_failing_store_is_not_asked_again() {
        fixture().setFenceCounter(key("full"), Fence.MAX);
        HeardEvents heard = new HeardEvents();
        RenewingLocks node = node(LockOptions.DEFAULT.listener(heard));
        assertFails(
                LockErrorCode.INTERNAL,
                () -> SyncGuardLocks.of(node).withLock(request("full"), QUICK, CancelSignal.none(), lock -> 1));
        assertThat(heard.count(Type.ACQUIRE, Result.FAIL)).isZero();
    }

    @Test
    void a_signal_given_before_means_no_attempt() {
        CancelSignal given = new CancelSignal();
        given.cancel();
        assertThat(aborted(request("stop").signal(given), CancelSignal.none()))
                .hasMessage("Operation cancelled by user signal");
        assertThat(aborted(request("stop"), given)).hasMessage("Acquisition cancelled by acquisition signal");
        assertThat(isLocked("stop")).isFalse();
    }

    @Test
    void a_signal_given_between_attempts_is_heard_at_once() {
        CancelSignal user = new CancelSignal();
        assertHeardAtOnce(user, CancelSignal.none(), user, "Operation cancelled by user signal");
        CancelSignal acquisition = new CancelSignal();
        assertHeardAtOnce(new CancelSignal(), acquisition, acquisition, "Acquisition cancelled by acquisition signal");
    }

    private void assertHeardAtOnce(CancelSignal user, CancelSignal acquisition, CancelSignal given, String message) {
        HeardEvents heard = new HeardEvents();
        RenewingLocks node = node(LockOptions.DEFAULT.listener(heard));
        Granted holder = grant("asleep");
        RetryPolicy drowsy = RetryPolicy.DEFAULT.retryDelay(NEVER).timeout(NEVER);
        CompletableFuture<Integer> asleep = inBackground(
                () -> SyncGuardLocks.of(node).withLock(request("asleep").signal(user), drowsy, acquisition, lock -> 1));
        await(() -> heard.count(Type.ACQUIRE, Result.FAIL) == 1);

        given.cancel();
        assertThat(assertFails(LockErrorCode.ABORTED, () -> soon(asleep))).hasMessage(message);
        release(holder);
    }

    @Test
    void an_interrupt_between_attempts_is_heard_at_once() {
        grant("asleep");
        HeardEvents heard = new HeardEvents();
        RenewingLocks node = node(LockOptions.DEFAULT.listener(heard));
        RetryPolicy drowsy = RetryPolicy.DEFAULT.retryDelay(NEVER).timeout(NEVER);
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CompletableFuture<Integer> asleep = inBackground(() -> {
            thread.complete(Thread.currentThread());
            return SyncGuardLocks.of(node).withLock(request("asleep"), drowsy, CancelSignal.none(), lock -> 1);
        });
        await(() -> heard.count(Type.ACQUIRE, Result.FAIL) == 1);

        soon(thread).interrupt();
        assertFails(LockErrorCode.ABORTED, () -> soon(asleep));
    }

    @Test
    void work_comes_one_after_the_other() {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int number = i;
            run("sequence", () -> order.add(number));
        }
        assertThat(order).containsExactly(0, 1, 2);
    }

    @Test
    void work_under_different_keys_runs_at_the_same_time() {
        CyclicBarrier allInside = new CyclicBarrier(3);
        List<CompletableFuture<Integer>> work = Stream.of("x", "y", "z")
                .map(name -> inBackground(() -> SyncGuardLocks.of(locks())
                        .withLock(request(name), QUICK, CancelSignal.none(), lock -> allInside.await())))
                .toList();
        assertThat(work).allSatisfy(LockContract::soon);
    }

    private <T> T run(String name, Supplier<T> work) {
        return SyncGuardLocks.of(locks())
                .withLock(request(name), RetryPolicy.DEFAULT, CancelSignal.none(), lock -> work.get());
    }

    private <T> T locked(String name, Supplier<T> work) {
        return locks().withLock(key(name), lock -> work.get());
    }

    private LockException timeout(String name, RetryPolicy policy) {
        return assertFails(
                LockErrorCode.ACQUISITION_TIMEOUT,
                () -> SyncGuardLocks.of(locks()).withLock(request(name), policy, CancelSignal.none(), lock -> 1));
    }

    private LockException aborted(AcquireRequest request, CancelSignal acquisition) {
        return assertFails(
                LockErrorCode.ABORTED,
                () -> SyncGuardLocks.of(locks()).withLock(request, QUICK, acquisition, lock -> 1));
    }
}
