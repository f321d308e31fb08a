package dev.leasehold.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class HolderTest {
    @Test
    void a_holder_is_an_owner_and_an_instance_of_it() {
        Holder holder = Holder.of("billing", "pod-1");
        assertThat(holder.owner()).isEqualTo("billing");
        assertThat(holder.instanceId()).isEqualTo("pod-1");
        assertThat(holder).isEqualTo(Holder.of("billing", "pod-1")).isNotEqualTo(Holder.of("billing", "pod-2"));
    }

    @Test
    void both_parts_have_up_to_255_characters() {
        assertThat(Holder.of("o".repeat(255), "i".repeat(255)).owner()).hasSize(255);
        assertRefused(() -> Holder.of("o".repeat(256), "i"), "owner must have at most 255 characters, got 256");
        assertRefused(() -> Holder.of("o", "i".repeat(256)), "instanceId must have at most 255 characters, got 256");
    }

    @Test
    void neither_part_may_be_missing() {
        assertRefused(() -> Holder.of("", "i"), "owner must not be empty");
        assertRefused(() -> Holder.of(null, "i"), "owner must not be empty");
        assertRefused(() -> Holder.of("o", ""), "instanceId must not be empty");
        assertRefused(() -> Holder.of("o", null), "instanceId must not be empty");
    }

    @Test
    void neither_part_may_contain_the_null_character() {
        assertRefused(() -> Holder.of("o\0", "i"), "owner must not contain U+0000");
        assertRefused(() -> Holder.of("o", "\0i"), "instanceId must not contain U+0000");
    }

    @Test
    void a_lone_surrogate_counts_as_the_replacement_character() {
        assertThat(Holder.of("a\ud800", "\udd12")).isEqualTo(Holder.of("a\ufffd", "\ufffd"));
    }

    private static void assertRefused(ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.INVALID_ARGUMENT))
                .hasMessage(message);
    }
}
