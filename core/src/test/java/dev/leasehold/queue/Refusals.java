package dev.leasehold.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What callers are told who break a rule. */
final class Refusals {
    private Refusals() {}

    static void assertRefused(ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        QueueException.class, e -> assertThat(e.code()).isEqualTo(QueueErrorCode.INVALID_ARGUMENT))
                .hasMessage(message);
    }
}
