package dev.leasehold.testkit.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.spi.Extension;
import dev.leasehold.syncguard.SyncGuardLocks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong arguments are refused with a sentence and touch nothing; absence is not an error. */
public class ErrorsContract extends LockContract {
    @Test
    void an_empty_key_is_refused() {
        everyUseOf("").forEach(use -> assertInvalid(use, "Key must not be empty"));
    }

    @Test
    void a_key_that_is_too_long_is_refused() {
        String tooLong = "Key exceeds maximum length of 512 bytes after normalization";
        everyUseOf("k".repeat(600)).forEach(use -> assertInvalid(use, tooLong));
        everyUseOf("\u00e9".repeat(257)).forEach(use -> assertInvalid(use, tooLong));
    }

    @Test
    void a_key_with_a_zero_character_is_refused() {
        everyUseOf("a\0b").forEach(use -> assertInvalid(use, "Key must not contain U+0000"));
    }

    private Stream<ThrowingCallable> everyUseOf(String key) {
        return Stream.of(
                () -> locks().acquire(key),
                () -> locks().tryAcquire(key),
                () -> locks().isLocked(key),
                () -> locks().getByKey(key));
    }

    @Test
    void a_key_at_the_limit_is_a_key() {
        String unique = key("long");
        String longest = unique + "k".repeat(512 - unique.length());
        assertThat(locks().tryAcquire(longest)).isPresent();
        assertThat(locks().isLocked(longest)).isTrue();
    }

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(
            strings = {
                "short",
                "AAAAAAAAAAAAAAAAAAAAAAA",
                "AAAAAAAAAAAAAAAAAAAAA+",
                "AAAAAAAAAAAAAAAAAAAAA/",
                "AAAAAAAAAAAAAAAAAAAAA=",
                "AAAAAAAAAAAAAAAAAAAAA "
            })
    void a_malformed_lock_id_is_refused(@Nullable String lockId) {
        String message = "Invalid lockId format. Expected 22 base64url characters, got: "
                + (lockId == null || lockId.isEmpty() ? "empty/null" : lockId.length() + " characters that are not");
        String given = lockId == null ? "" : lockId;
        assertInvalid(() -> locks().byLockId().release(given), message);
        assertInvalid(() -> locks().byLockId().extend(given, TTL), message);
        assertInvalid(() -> locks().byLockId().get(given), message);
        assertInvalid(() -> LockId.of(lockId), message);
    }

    @Test
    void a_ttl_that_is_not_a_positive_number_of_milliseconds_is_refused() {
        String lockId = grant("ttl").lockId().value();
        Stream.of(Duration.ZERO, Duration.ofMillis(-1), Duration.ofNanos(1_500_000))
                .forEach(ttl -> {
                    assertInvalid(
                            () -> AcquireRequest.of("ttl").ttl(ttl),
                            "ttl must be a positive whole number of milliseconds");
                    assertInvalid(() -> attempt("ttl", ttl), "ttl must be a positive whole number of milliseconds");
                    assertInvalid(
                            () -> locks().byLockId().extend(lockId, ttl),
                            "ttl must be a positive whole number of milliseconds");
                    assertInvalid(
                            () -> new Extension(LockId.of(lockId), ttl),
                            "ttl must be a positive whole number of milliseconds");
                });
        assertThat(isLocked("ttl")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 100, 1000, 30_000, 3_600_000, 31_536_000_000L})
    void ttls_from_a_millisecond_to_a_year_are_granted(long ms) {
        var granted = grant(attempt("valid", Duration.ofMillis(ms)));
        assertThat(Duration.between(granted.acquiredAt(), granted.expiresAt())).isEqualTo(Duration.ofMillis(ms));
    }

    @Test
    void absence_is_an_answer_and_not_an_error() {
        String unknown = LockId.generate().value();
        assertThat(locks().byLockId().release(unknown)).isFalse();
        assertThat(locks().byLockId().extend(unknown, TTL)).isEmpty();
        assertThat(locks().isLocked(key("absent"))).isFalse();
        assertThat(locks().getByKey(key("absent"))).isEmpty();
        assertThat(locks().byLockId().get(unknown)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a:b",
                "a/b",
                "a-b",
                "a_b",
                "a.b",
                "a b",
                "a'b",
                "a\"b",
                "a\\b",
                "a%b",
                "a{1}",
                "a?b",
                "a\nb",
                "fence:a",
                "\uD83D\uDD12",
                "cl\u00e9",
                "\u9375",
                "\u043a\u043b\u044e\u0447"
            })
    void any_other_text_is_a_key(String name) {
        var granted = grant(name);
        assertThat(isLocked(name)).isTrue();
        assertThat(SyncGuardLocks.of(locks()).getByIdRaw(granted.lockId().value()))
                .hasValueSatisfying(raw -> assertThat(raw.key()).isIn(key(name), "[backend does not provide raw key]"));
        assertThat(release(granted)).isTrue();
    }

    @Test
    void a_lone_surrogate_counts_as_the_replacement_character() {
        assertThat(locks().tryAcquire(key("lone\uD800"))).isPresent();
        assertThat(locks().isLocked(key("lone\uFFFD"))).isTrue();
    }

    @Test
    void after_a_burst_of_wrong_calls_all_is_well() {
        List<CompletableFuture<Boolean>> bursts = IntStream.range(0, 10)
                .mapToObj(i -> inBackground(() -> {
                    everyUseOf("").forEach(use -> assertFails(LockErrorCode.INVALID_ARGUMENT, use));
                    assertFails(
                            LockErrorCode.INVALID_ARGUMENT,
                            () -> locks().byLockId().release("bad"));
                    return true;
                }))
                .toList();
        assertThat(bursts.stream().map(LockContract::soon)).containsOnly(true);
        assertThat(release(grant("after"))).isTrue();
    }

    private static void assertInvalid(ThrowingCallable call, String message) {
        assertThat(assertFails(LockErrorCode.INVALID_ARGUMENT, call)).hasMessage(message);
    }
}
