package dev.leasehold.syncguard;

import static dev.leasehold.TestWaits.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.lock.Background;
import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.syncguard.RetryPolicy.Backoff;
import dev.leasehold.syncguard.RetryPolicy.Jitter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class RetryLoopTest {
    private static final RetryPolicy QUICK = RetryPolicy.DEFAULT.retryDelay(Duration.ofNanos(1_000));
    private static final RetryPolicy SLEEPY = RetryPolicy.DEFAULT
            .retryDelay(Duration.ofHours(1))
            .jitter(Jitter.NONE)
            .timeout(Duration.ofHours(9));

    private final CancelSignal user = new CancelSignal();
    private final CancelSignal acquisition = new CancelSignal();
    private final AtomicInteger attempts = new AtomicInteger();

    private <T> T run(RetryPolicy policy, Supplier<Optional<T>> attempt) {
        return new RetryLoop(policy, user, acquisition, () -> 0.5).run(() -> {
            attempts.incrementAndGet();
            return attempt.get();
        });
    }

    private String contended(RetryPolicy policy) {
        return run(policy, Optional::<String>empty);
    }

    private String successOn(int attempt, RetryPolicy policy) {
        return run(policy, () -> attempts.get() == attempt ? Optional.of("lock") : Optional.empty());
    }

    private static void assertFails(ThrowingCallable call, LockErrorCode code, String message) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageMatching(message);
    }

    @Test
    void a_first_attempt_that_succeeds_is_the_only_one() {
        assertThat(successOn(1, QUICK)).isEqualTo("lock");
        assertThat(attempts).hasValue(1);
    }

    @Test
    void contention_is_tried_again() {
        assertThat(successOn(3, QUICK)).isEqualTo("lock");
        assertThat(successOn(6, QUICK.backoff(Backoff.FIXED))).isEqualTo("lock");
    }

    @Test
    void ten_retries_are_eleven_attempts() {
        assertFails(
                () -> contended(QUICK),
                LockErrorCode.ACQUISITION_TIMEOUT,
                "Failed to acquire lock after 11 attempts \\(lock contention\\)");
        assertThat(attempts).hasValue(11);
    }

    @Test
    void no_retries_are_one_attempt() {
        assertFails(
                () -> contended(QUICK.maxRetries(0)),
                LockErrorCode.ACQUISITION_TIMEOUT,
                "Failed to acquire lock after 1 attempts \\(lock contention\\)");
        assertThat(attempts).hasValue(1);
    }

    @Test
    void a_timeout_of_zero_is_no_attempt() {
        assertFails(
                () -> contended(QUICK.timeout(Duration.ZERO)),
                LockErrorCode.ACQUISITION_TIMEOUT,
                "Failed to acquire lock after \\d+ms \\(1 attempts\\)");
        assertThat(attempts).hasValue(0);
    }

    @Test
    void a_delay_of_zero_ends_at_the_first_contention() {
        assertFails(
                () -> contended(RetryPolicy.DEFAULT.retryDelay(Duration.ZERO)),
                LockErrorCode.ACQUISITION_TIMEOUT,
                "Timeout reached before next retry \\(\\d+ms elapsed\\)");
        assertThat(attempts).hasValue(1);
    }

    @Test
    void a_delay_whose_random_share_is_zero_ends_there_too() {
        RetryLoop loop = new RetryLoop(RetryPolicy.DEFAULT.jitter(Jitter.FULL), user, acquisition, () -> 0);
        assertFails(
                () -> loop.run(Optional::empty),
                LockErrorCode.ACQUISITION_TIMEOUT,
                "Timeout reached before next retry \\(\\d+ms elapsed\\)");
    }

    @Test
    void an_attempt_that_takes_all_the_time_is_the_last() {
        assertFails(
                () -> run(SLEEPY.timeout(Duration.ofMillis(200)), () -> {
                    pass(Duration.ofMillis(205));
                    return Optional.empty();
                }),
                LockErrorCode.ACQUISITION_TIMEOUT,
                "Timeout reached before next retry \\(\\d+ms elapsed\\)");
        assertThat(attempts).hasValue(1);
    }

    private static void pass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    @Test
    void the_timeout_cuts_the_last_sleep_short() {
        long start = System.nanoTime();
        assertFails(
                () -> contended(SLEEPY.timeout(Duration.ofMillis(200))),
                LockErrorCode.ACQUISITION_TIMEOUT,
                "Failed to acquire lock after \\d+ms \\(2 attempts\\)");
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(200_000_000L);
        assertThat(attempts).hasValue(1);
    }

    @Test
    void it_sleeps_as_long_as_the_policy_says() {
        RetryPolicy policy =
                RetryPolicy.DEFAULT.backoff(Backoff.FIXED).jitter(Jitter.EQUAL).retryDelay(Duration.ofMillis(20));
        long start = System.nanoTime();
        assertThat(successOn(3, policy)).isEqualTo("lock");
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(2 * 15_000_000L);
    }

    @Test
    void a_signal_given_before_is_no_attempt() {
        user.cancel();
        assertFails(() -> contended(QUICK), LockErrorCode.ABORTED, "Operation cancelled by user signal");
        assertThat(attempts).hasValue(0);
    }

    @Test
    void an_acquisition_signal_given_before_is_no_attempt() {
        acquisition.cancel();
        assertFails(() -> contended(QUICK), LockErrorCode.ABORTED, "Acquisition cancelled by acquisition signal");
        assertThat(attempts).hasValue(0);
    }

    @Test
    void of_both_signals_the_user_signal_is_named() {
        user.cancel();
        acquisition.cancel();
        assertFails(() -> contended(QUICK), LockErrorCode.ABORTED, "Operation cancelled by user signal");
    }

    @Test
    void the_timeout_comes_before_the_signals() {
        user.cancel();
        assertFails(() -> contended(QUICK.timeout(Duration.ZERO)), LockErrorCode.ACQUISITION_TIMEOUT, "Failed to .*");
    }

    @Test
    void the_acquisition_signal_ends_a_sleep_at_once() {
        Background<String> first = Background.call(() -> contended(SLEEPY));
        await().until(() -> attempts.get() == 1);
        first.awaitParked();
        acquisition.cancel();
        assertFails(first::result, LockErrorCode.ABORTED, "Acquisition cancelled by acquisition signal");
    }

    @Test
    void the_user_signal_ends_a_sleep_at_once() {
        Background<String> first = Background.call(() -> contended(SLEEPY));
        first.awaitParked();
        user.cancel();
        assertFails(first::result, LockErrorCode.ABORTED, "Operation cancelled by user signal");
        assertThat(attempts).hasValue(1);
    }

    @Test
    void an_interrupt_ends_a_sleep_at_once_and_stays_set() {
        AtomicInteger stillSet = new AtomicInteger();
        Background<String> work = Background.call(() -> {
            try {
                return contended(SLEEPY);
            } finally {
                stillSet.set(Thread.currentThread().isInterrupted() ? 1 : 0);
            }
        });
        work.awaitParked().interrupt();
        assertFails(work::result, LockErrorCode.ABORTED, "Operation aborted by an interrupt");
        assertThat(stillSet).hasValue(1);
    }

    @Test
    void a_failure_is_not_tried_again() {
        LockException failure = new LockException(LockErrorCode.SERVICE_UNAVAILABLE, "down");
        assertThatThrownBy(() -> run(QUICK, () -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(attempts).hasValue(1);
    }

    @Test
    void one_may_wait_forever() {
        Duration forever = Duration.ofSeconds(Long.MAX_VALUE);
        assertThat(successOn(3, QUICK.timeout(forever))).isEqualTo("lock");
    }
}
