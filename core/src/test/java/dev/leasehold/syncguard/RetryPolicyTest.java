package dev.leasehold.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.syncguard.RetryPolicy.Backoff;
import dev.leasehold.syncguard.RetryPolicy.Jitter;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryPolicyTest {
    private final RetryPolicy policy = RetryPolicy.DEFAULT;

    @Test
    void defaults_are_those_of_other_clients() {
        assertThat(policy)
                .isEqualTo(new RetryPolicy(
                        10, Duration.ofMillis(100), Backoff.EXPONENTIAL, Jitter.EQUAL, Duration.ofSeconds(5)));
    }

    @Test
    void each_setter_changes_its_own_part_alone() {
        RetryPolicy all = policy.maxRetries(3)
                .retryDelay(Duration.ofMillis(7))
                .backoff(Backoff.FIXED)
                .jitter(Jitter.NONE)
                .timeout(Duration.ofSeconds(9));
        assertThat(all)
                .isEqualTo(new RetryPolicy(3, Duration.ofMillis(7), Backoff.FIXED, Jitter.NONE, Duration.ofSeconds(9)));
    }

    @Test
    void zeros_are_kept() {
        RetryPolicy zeros = policy.maxRetries(0).retryDelay(Duration.ZERO).timeout(Duration.ZERO);
        assertThat(zeros.maxRetries()).isZero();
        assertThat(zeros.retryDelay()).isZero();
        assertThat(zeros.timeout()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"FULL, 0.25, 25", "FULL, 0, 0", "EQUAL, 0.5, 75", "EQUAL, 0, 50", "EQUAL, 0.25, 62.5", "NONE, 0.9, 100"
    })
    void jitter_is_the_random_share_of_a_delay(Jitter jitter, double random, double expectedMs) {
        RetryPolicy fixed = policy.backoff(Backoff.FIXED).jitter(jitter);
        assertThat(fixed.delayMs(1, () -> random)).isEqualTo(expectedMs);
        assertThat(fixed.delayMs(9, () -> random)).isEqualTo(expectedMs);
    }

    @ParameterizedTest
    @CsvSource({"1, 100", "2, 200", "3, 400", "4, 800", "11, 102400"})
    void exponential_delays_double(int attempt, double expectedMs) {
        assertThat(policy.jitter(Jitter.NONE).delayMs(attempt, () -> 0.5)).isEqualTo(expectedMs);
    }

    @Test
    void jitter_comes_after_doubling() {
        assertThat(policy.delayMs(3, () -> 0.5)).isEqualTo(300);
        assertThat(policy.jitter(Jitter.FULL).delayMs(3, () -> 0.5)).isEqualTo(200);
    }

    @Test
    void a_delay_stays_finite_however_many_attempts_there_were() {
        assertThat(policy.jitter(Jitter.NONE).delayMs(Integer.MAX_VALUE, () -> 0.5))
                .isFinite()
                .isPositive();
    }

    @Test
    void fractions_of_a_millisecond_count() {
        RetryPolicy tiny = policy.retryDelay(Duration.ofNanos(500_000)).jitter(Jitter.NONE);
        assertThat(tiny.delayMs(1, () -> 0.5)).isEqualTo(0.5);
    }

    @Test
    void negative_values_are_refused_by_name() {
        Duration negative = Duration.ofMillis(-1);
        assertRefused(() -> policy.maxRetries(-1), "maxRetries must not be negative, got -1");
        assertRefused(() -> policy.retryDelay(negative), "retryDelay must not be negative, got PT-0.001S");
        assertRefused(() -> policy.timeout(negative), "timeout must not be negative, got PT-0.001S");
    }

    private static void assertRefused(ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.INVALID_ARGUMENT))
                .hasMessage(message);
    }
}
