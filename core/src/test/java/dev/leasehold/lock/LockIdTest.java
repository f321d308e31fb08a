package dev.leasehold.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class LockIdTest {
    private static final String START = "Invalid lockId format. Expected 22 base64url characters, got: ";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "AAAAAAAAAAAAAAAAAAAAAA",
                "ABCDEFGHIJKLMNOPQRSTUV",
                "WXYZabcdefghijklmnopqr",
                "stuvwxyz0123456789-_-_",
                "----------------------",
                "______________________"
            })
    void any_22_characters_of_base64url_are_a_lock_id(String value) {
        assertThat(LockId.of(value).value()).isEqualTo(value);
        assertThat(LockId.isWellFormed(value)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void anything_else_is_refused(String value) {
        assertThat(LockId.isWellFormed(value)).isFalse();
        assertRefused(value, START + value.length() + " characters that are not");
    }

    static Stream<String> malformed() {
        String tail = "A".repeat(21);
        return Stream.of(
                "A",
                tail,
                "A".repeat(23),
                "A".repeat(44),
                tail + "+",
                tail + "/",
                tail + "=",
                tail + "!",
                tail + ".",
                tail + "'",
                tail + " ",
                tail + "\t",
                tail + "\n",
                "A".repeat(22) + "\n",
                " " + "A".repeat(22),
                "A".repeat(22) + " ",
                " " + tail,
                tail + "\u0410",
                tail + "\uff21",
                tail + "\u2013",
                tail + "\0",
                "'; drop table locks;--");
    }

    @ParameterizedTest
    @NullAndEmptySource
    void none_at_all_is_refused(String value) {
        assertRefused(value, START + "empty/null");
    }

    private static void assertRefused(String value, String message) {
        assertThatThrownBy(() -> LockId.of(value))
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.INVALID_ARGUMENT))
                .hasMessage(message);
    }

    @Test
    void new_ids_are_well_formed_and_all_different() {
        assertThat(Stream.generate(LockId::generate).limit(1000).map(LockId::value))
                .allMatch(LockId::isWellFormed)
                .doesNotHaveDuplicates();
    }

    @Test
    void its_text_shows_the_hash_alone() {
        LockId id = LockId.generate();
        assertThat(id.toString()).contains(id.hash()).doesNotContain(id.value());
    }

    @Test
    void its_hash_is_that_of_its_value() {
        assertThat(LockId.of("A".repeat(22)).hash()).isEqualTo("761621603f31b080201c6800");
    }
}
