package dev.leasehold.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class AcquireRequestTest {
    private final AcquireRequest request = AcquireRequest.of("ledger:7");

    @Test
    void a_plain_request_leaves_the_rest_to_the_options_and_renews() {
        assertThat(request.key()).isEqualTo(LockKey.of("ledger:7"));
        assertThat(request.ttl()).isNull();
        assertThat(request.waitFor()).isNull();
        assertThat(request.renew()).isTrue();
        assertThat(request.holder()).isNull();
        assertThat(request.signal()).isSameAs(CancelSignal.none());
    }

    @Test
    void each_setter_changes_its_own_part_alone() {
        Holder holder = Holder.of("billing", "1");
        CancelSignal signal = new CancelSignal();
        AcquireRequest all = request.ttl(Duration.ofSeconds(1))
                .waitFor(Duration.ofSeconds(2))
                .withoutRenewal()
                .holder(holder)
                .signal(signal);
        assertThat(all)
                .isEqualTo(new AcquireRequest(
                        LockKey.of("ledger:7"),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(2),
                        false,
                        holder,
                        null,
                        signal));
        assertThat(request).isEqualTo(AcquireRequest.of("ledger:7"));
    }

    @Test
    void a_wait_of_zero_is_a_wait() {
        assertThat(request.waitFor(Duration.ZERO).waitFor()).isZero();
    }

    @Test
    void a_negative_wait_is_refused() {
        assertRefused(() -> request.waitFor(Duration.ofMillis(-1)), "waitFor must not be negative, got PT-0.001S");
    }

    @Test
    void a_wrong_ttl_is_refused() {
        assertRefused(() -> request.ttl(Duration.ZERO), "ttl must be a positive whole number of milliseconds");
        assertRefused(() -> request.ttl(null), "ttl must be a positive whole number of milliseconds");
        assertRefused(() -> request.ttl(Duration.ofNanos(1)), "ttl must be a positive whole number of milliseconds");
    }

    @Test
    void a_wrong_key_is_refused() {
        assertRefused(() -> AcquireRequest.of(""), "Key must not be empty");
        assertRefused(() -> AcquireRequest.of((String) null), "Key must be a string");
    }

    private static void assertRefused(ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.INVALID_ARGUMENT))
                .hasMessage(message);
    }
}
