package dev.leasehold.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullSource;

class TtlTest {
    @ParameterizedTest
    @MethodSource("good")
    void whole_milliseconds_up_to_a_year_are_a_ttl(Duration ttl) {
        assertThat(Ttl.check(ttl)).isSameAs(ttl);
    }

    static Stream<Duration> good() {
        return Stream.of(
                Duration.ofMillis(1), Duration.ofMillis(1500), Duration.ofSeconds(30), Duration.ofDays(365), Ttl.MAX);
    }

    @ParameterizedTest
    @NullSource
    @MethodSource("notPositive")
    void what_is_not_a_positive_number_of_milliseconds_is_refused(Duration ttl) {
        assertRefused(ttl, "ttl must be a positive whole number of milliseconds");
    }

    static Stream<Duration> notPositive() {
        return Stream.of(
                Duration.ZERO,
                Duration.ofMillis(-1),
                Duration.ofSeconds(Long.MIN_VALUE),
                Duration.ofNanos(1),
                Duration.ofNanos(999_999),
                Duration.ofNanos(-1),
                Duration.ofNanos(1_500_000),
                Duration.ofMillis(5).plusNanos(1));
    }

    @ParameterizedTest
    @MethodSource("absurd")
    void more_than_a_year_is_refused(Duration ttl) {
        assertRefused(ttl, "ttl must be at most 365 days, got " + ttl);
    }

    static Stream<Duration> absurd() {
        return Stream.of(
                Ttl.MAX.plusNanos(1),
                Ttl.MAX.plusMillis(1),
                Duration.ofMillis(Long.MAX_VALUE),
                Duration.ofSeconds(Long.MAX_VALUE, 999_999_999));
    }

    private static void assertRefused(Duration ttl, String message) {
        assertThatThrownBy(() -> Ttl.check(ttl))
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.INVALID_ARGUMENT))
                .hasMessage(message);
    }

    @Test
    void the_default_is_half_a_minute() {
        assertThat(Ttl.DEFAULT).isEqualTo(Duration.ofSeconds(30));
    }
}
