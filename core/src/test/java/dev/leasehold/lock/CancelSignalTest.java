package dev.leasehold.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CancelSignalTest {
    private final CancelSignal signal = new CancelSignal();
    private final List<String> heard = new ArrayList<>();

    @Test
    void a_signal_that_was_not_given_stops_nothing() {
        assertThat(signal.isCancelled()).isFalse();
        assertThatCode(signal::check).doesNotThrowAnyException();
    }

    @Test
    void a_given_signal_aborts() {
        signal.cancel();
        assertThat(signal.isCancelled()).isTrue();
        assertThatThrownBy(signal::check)
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.ABORTED))
                .hasMessage("Operation aborted by signal");
    }

    @Test
    void listeners_hear_it_once_in_the_order_they_came() {
        signal.onCancel(() -> heard.add("first"));
        signal.onCancel(() -> heard.add("second"));
        signal.cancel();
        signal.cancel();
        assertThat(heard).containsExactly("first", "second");
    }

    @Test
    void a_late_listener_hears_it_at_once() {
        signal.cancel();
        signal.onCancel(() -> heard.add("late")).run();
        assertThat(heard).containsExactly("late");
    }

    @Test
    void a_listener_can_be_taken_off() {
        Runnable off = signal.onCancel(() -> heard.add("gone"));
        signal.onCancel(() -> heard.add("there"));
        off.run();
        off.run();
        signal.cancel();
        assertThat(heard).containsExactly("there");
    }

    @Test
    void a_listener_sees_the_signal_as_given() {
        signal.onCancel(() -> heard.add("cancelled=" + signal.isCancelled()));
        signal.cancel();
        assertThat(heard).containsExactly("cancelled=true");
    }

    @Test
    void a_listener_may_add_another_one() {
        signal.onCancel(() -> signal.onCancel(() -> heard.add("inner")));
        signal.cancel();
        assertThat(heard).containsExactly("inner");
    }

    @Test
    void a_listener_that_fails_does_not_keep_it_from_the_others() {
        signal.onCancel(() -> {
            throw new IllegalStateException("listener");
        });
        signal.onCancel(() -> heard.add("second"));
        try {
            signal.cancel();
        } catch (IllegalStateException e) {
            assertThat(e).hasMessage("listener");
        }
        assertThat(heard).containsExactly("second");
    }

    @Test
    void the_signal_that_is_never_given_cannot_be_given() {
        AtomicInteger calls = new AtomicInteger();
        CancelSignal.none().onCancel(calls::incrementAndGet).run();
        assertThatThrownBy(() -> CancelSignal.none().cancel())
                .isInstanceOf(LockException.class)
                .hasMessageContaining("CancelSignal.none() cannot be cancelled");
        assertThat(CancelSignal.none().isCancelled()).isFalse();
        assertThat(calls).hasValue(0);
    }
}
