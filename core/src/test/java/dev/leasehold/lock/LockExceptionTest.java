package dev.leasehold.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LockExceptionTest {
    @Test
    void it_carries_code_message_key_and_cause() {
        Exception cause = new IllegalStateException("connection refused");
        LockException e = new LockException(LockErrorCode.SERVICE_UNAVAILABLE, "down", "ledger:7", cause);
        assertThat(e)
                .isInstanceOf(RuntimeException.class)
                .hasMessage("down")
                .cause()
                .isSameAs(cause);
        assertThat(e.code()).isEqualTo(LockErrorCode.SERVICE_UNAVAILABLE);
        assertThat(e.key()).isEqualTo("ledger:7");
        assertThat(cause.getStackTrace()).isNotEmpty();
        assertThat(e.getStackTrace()).isNotEmpty();
    }

    @Test
    void key_and_cause_may_be_missing() {
        LockException e = new LockException(LockErrorCode.INTERNAL, "odd");
        assertThat(e.key()).isNull();
        assertThat(e).hasNoCause();
        assertThat(new LockException(LockErrorCode.INTERNAL, "odd", e)).cause().isSameAs(e);
    }

    @Test
    void codes_are_written_as_other_clients_write_them() {
        assertThat(Stream.of(LockErrorCode.values()).map(LockErrorCode::text))
                .containsExactly(
                        "ServiceUnavailable",
                        "AuthFailed",
                        "InvalidArgument",
                        "RateLimited",
                        "NetworkTimeout",
                        "AcquisitionTimeout",
                        "Aborted",
                        "Internal");
    }

    @ParameterizedTest
    @EnumSource
    void every_code_can_be_thrown(LockErrorCode code) {
        assertThat(new LockException(code, "message").code()).isEqualTo(code);
    }

    @Test
    void shorthands_say_what_they_are() {
        assertThat(LockException.aborted()).hasMessage("Operation aborted by signal");
        assertThat(LockException.aborted().code()).isEqualTo(LockErrorCode.ABORTED);
        assertThat(LockException.invalidArgument("x").code()).isEqualTo(LockErrorCode.INVALID_ARGUMENT);
    }

    @Test
    void a_lost_lock_is_told_with_key_and_fence() {
        LockLostException e = new LockLostException(LockKey.of("billing"), Fence.of(41), "expired");
        assertThat(e).hasMessage("lock 'billing' was lost: fence 41 expired");
        assertThat(e.key()).isEqualTo("billing");
        assertThat(e.fence()).isEqualTo(Fence.of(41));
    }
}
