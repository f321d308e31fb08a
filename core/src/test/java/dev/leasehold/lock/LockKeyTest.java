package dev.leasehold.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockKeyTest {
    private static final String LOCK = "\ud83d\udd12";
    private static final String TOO_LONG = "Key exceeds maximum length of 512 bytes after normalization";

    @ParameterizedTest
    @ValueSource(strings = {"payment:123", " ", "\t\n", "a/b.c-d", "0", "\u0001"})
    void ordinary_text_stays_as_it_is(String text) {
        assertThat(LockKey.of(text).value()).isEqualTo(text);
    }

    @Test
    void texts_with_the_same_normal_form_name_the_same_lock() {
        assertThat(LockKey.of("cafe\u0301"))
                .isEqualTo(LockKey.of("caf\u00e9"))
                .hasSameHashCodeAs(LockKey.of("caf\u00e9"));
        assertThat(LockKey.of("\u212b")).isEqualTo(LockKey.of("A\u030a"));
        assertThat(LockKey.of("cafe\u0301").value()).isEqualTo("caf\u00e9");
    }

    @Test
    void compatibility_forms_are_kept_apart() {
        assertThat(LockKey.of("\ufb01")).isNotEqualTo(LockKey.of("fi"));
    }

    @Test
    void case_matters() {
        assertThat(LockKey.of("Ledger")).isNotEqualTo(LockKey.of("ledger"));
    }

    @Test
    void a_key_has_up_to_512_bytes() {
        assertThat(LockKey.MAX_BYTES).isEqualTo(512);
        assertThat(LockKey.of("k".repeat(512)).value()).hasSize(512);
        assertRefused("k".repeat(513), TOO_LONG);
    }

    @Test
    void bytes_are_counted_not_characters() {
        assertThat(LockKey.of("\u00e9".repeat(256)).value()).hasSize(256);
        assertRefused("\u00e9".repeat(257), TOO_LONG);
        assertThat(LockKey.of(LOCK.repeat(128)).value()).hasSize(256);
        assertRefused(LOCK.repeat(129), TOO_LONG);
    }

    @Test
    void they_are_counted_after_normalisation() {
        assertThat(LockKey.of("e\u0301".repeat(256)).value()).isEqualTo("\u00e9".repeat(256));
        assertRefused("e\u0301".repeat(257), TOO_LONG);
    }

    @Test
    void normalisation_may_also_make_a_key_too_long() {
        assertThat(LockKey.of("\u0958".repeat(85)).value()).isEqualTo("\u0915\u093c".repeat(85));
        assertRefused("\u0958".repeat(86), TOO_LONG);
    }

    @Test
    void a_lone_surrogate_counts_as_the_replacement_character() {
        assertThat(LockKey.of("a\ud800b").value()).isEqualTo("a\ufffdb");
        assertThat(LockKey.of("\udd12\ud83d")).isEqualTo(LockKey.of("\ufffd\ufffd"));
        assertThat(LockKey.of(LOCK + "\ud83d").value()).isEqualTo(LOCK + "\ufffd");
        assertThat(LockKey.of("\ud800")).isEqualTo(LockKey.of("\udfff"));
    }

    @Test
    void a_lone_surrogate_counts_three_bytes() {
        assertThat(LockKey.of("\ud800".repeat(170)).value()).hasSize(170);
        assertRefused("\ud800".repeat(171), TOO_LONG);
    }

    @Test
    void a_key_cannot_be_missing_or_empty() {
        assertRefused(null, "Key must be a string");
        assertRefused("", "Key must not be empty");
    }

    @Test
    void a_key_cannot_contain_the_null_character() {
        assertRefused("\0", "Key must not contain U+0000");
        assertRefused("ledger\0:7", "Key must not contain U+0000");
    }

    private static void assertRefused(@Nullable String text, String message) {
        assertThatThrownBy(() -> LockKey.of(text))
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.INVALID_ARGUMENT))
                .hasMessage(message);
    }
}
