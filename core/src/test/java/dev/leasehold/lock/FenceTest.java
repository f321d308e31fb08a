package dev.leasehold.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FenceTest {
    @ParameterizedTest
    @CsvSource({
        "0, 000000000000000",
        "1, 000000000000001",
        "42, 000000000000042",
        "123456789, 000000123456789",
        "999999999999999, 999999999999999"
    })
    void a_fence_is_written_with_15_digits(long value, String expected) {
        assertThat(Fence.of(value)).hasToString(expected);
        assertThat(Fence.parse(expected)).isEqualTo(Fence.of(value));
    }

    @ParameterizedTest
    @CsvSource({
        "1.9, 000000000000001",
        "-0.5, 000000000000000",
        "42.9, 000000000000042",
        "42.1, 000000000000042",
        "0, 000000000000000"
    })
    void a_fraction_is_cut_off_towards_zero(double value, String expected) {
        assertThat(Fence.truncate(value)).hasToString(expected);
    }

    @Test
    void a_negative_number_is_no_fence() {
        assertRefused(() -> Fence.of(-1), "Fence must be non-negative");
        assertRefused(() -> Fence.truncate(-1), "Fence must be non-negative");
        assertRefused(() -> Fence.of(Long.MIN_VALUE), "Fence must be non-negative");
    }

    @Test
    void a_number_of_16_digits_is_no_fence() {
        String message = "Fence exceeds 15-digit limit: 1000000000000000";
        assertRefused(() -> Fence.of(1_000_000_000_000_000L), message);
        assertRefused(() -> Fence.truncate(1e15), message);
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void what_is_not_a_finite_number_is_no_fence(double value) {
        assertRefused(() -> Fence.truncate(value), "Fence must be a number, got: " + value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "00000000000001",
                "0000000000000001",
                "+00000000000001",
                "-00000000000001",
                " 0000000000000"
            })
    void only_15_digits_are_read(String digits) {
        assertRefused(() -> Fence.parse(digits), "Fence must be 15 digits, got: " + digits);
    }

    @Test
    void digits_of_other_scripts_are_not_read() {
        assertRefused(() -> Fence.parse("\u0661".repeat(15)), "Fence must be 15 digits, got: " + "\u0661".repeat(15));
    }

    private static void assertRefused(ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.INVALID_ARGUMENT))
                .hasMessage(message);
    }

    @Test
    void the_order_of_the_text_is_the_order_of_the_numbers() {
        long[] values = {0, 1, 2, 9, 10, 11, 99, 100, 89_999_999_999_999L, Fence.WARN, Fence.MAX, 999_999_999_999_999L};
        assertThat(LongStream.of(values).mapToObj(Fence::of)).isSorted();
        assertThat(LongStream.of(values).mapToObj(value -> Fence.of(value).toString()))
                .isSorted();
    }

    @Test
    void the_thresholds_are_those_of_other_clients() {
        assertThat(Fence.of(Fence.MAX)).hasToString("900000000000000");
        assertThat(Fence.of(Fence.WARN)).hasToString("090000000000000");
    }
}
