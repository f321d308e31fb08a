package dev.leasehold.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.lock.LockOptions.ReleaseErrorHandler;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class LockOptionsTest {
    private final LockOptions defaults = LockOptions.DEFAULT;

    @Test
    void defaults_are_half_a_minute_of_ttl_and_five_seconds_of_waiting() {
        assertThat(defaults.ttl()).isEqualTo(Duration.ofSeconds(30));
        assertThat(defaults.waitFor()).isEqualTo(Duration.ofSeconds(5));
        assertThat(defaults.pollInterval()).isEqualTo(Duration.ofSeconds(1));
        assertThat(defaults.disposeTimeout()).isZero();
        assertThat(defaults.onReleaseError()).isNull();
        assertThat(defaults.listener()).isNull();
    }

    @Test
    void each_setter_changes_its_own_part_alone() {
        ReleaseErrorHandler handler = (error, context) -> {};
        LockListener listener = event -> {};
        LockOptions all = defaults.ttl(Duration.ofSeconds(1))
                .waitFor(Duration.ofSeconds(2))
                .pollInterval(Duration.ofSeconds(3))
                .disposeTimeout(Duration.ofSeconds(4))
                .onReleaseError(handler)
                .listener(listener);
        assertThat(all.ttl()).isEqualTo(Duration.ofSeconds(1));
        assertThat(all.waitFor()).isEqualTo(Duration.ofSeconds(2));
        assertThat(all.pollInterval()).isEqualTo(Duration.ofSeconds(3));
        assertThat(all.disposeTimeout()).isEqualTo(Duration.ofSeconds(4));
        assertThat(all.onReleaseError()).isSameAs(handler);
        assertThat(all.listener()).isSameAs(listener);
    }

    @Test
    void zero_is_kept_where_it_means_something() {
        assertThat(defaults.waitFor(Duration.ZERO).waitFor()).isZero();
        assertThat(defaults.disposeTimeout(Duration.ZERO).disposeTimeout()).isZero();
    }

    @Test
    void a_wrong_value_is_refused_by_name() {
        Duration negative = Duration.ofMillis(-1);
        assertRefused(() -> defaults.ttl(Duration.ZERO), "ttl must be a positive whole number of milliseconds");
        assertRefused(() -> defaults.waitFor(negative), "waitFor must not be negative, got PT-0.001S");
        assertRefused(() -> defaults.disposeTimeout(negative), "disposeTimeout must not be negative, got PT-0.001S");
        assertRefused(() -> defaults.pollInterval(Duration.ZERO), "pollInterval must be positive, got PT0S");
        assertRefused(() -> defaults.pollInterval(negative), "pollInterval must be positive, got PT-0.001S");
    }

    private static void assertRefused(ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.INVALID_ARGUMENT))
                .hasMessage(message);
    }
}
