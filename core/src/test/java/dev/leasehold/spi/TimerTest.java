package dev.leasehold.spi;

import static dev.leasehold.TestWaits.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.leasehold.lock.CapturedLog;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TimerTest {
    private final Timer timer = new Timer("timer-test");
    private final List<String> done = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        timer.close();
    }

    @Test
    void work_that_fails_does_not_stop_the_clockwork() {
        timer.after(0, () -> {
            throw new IllegalStateException("work");
        });
        timer.after(0, () -> done.add("next"));
        await().until(() -> done.contains("next"));
    }

    @Test
    void work_that_is_done_again_and_again_goes_on_after_an_error() {
        timer.every(1_000_000, () -> {
            done.add("turn");
            throw new AssertionError("error in a turn");
        });
        await().until(() -> done.size() >= 3);
    }

    @Test
    void an_error_in_work_is_logged() {
        try (CapturedLog log = new CapturedLog()) {
            timer.after(0, () -> {
                throw new AssertionError("error in work");
            });
            await().until(() -> !log.lines("AssertionError: error in work").isEmpty());
        }
    }

    @Test
    void slow_work_of_users_holds_nobody_up() {
        CountDownLatch end = new CountDownLatch(1);
        timer.callback(() -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        timer.callback(() -> done.add("callback"));
        timer.after(0, () -> done.add("timer"));
        await().until(() -> done.containsAll(List.of("callback", "timer")));
        end.countDown();
    }

    @Test
    void a_time_that_has_passed_means_now() {
        timer.after(Long.MIN_VALUE, () -> done.add("now"));
        await().until(() -> done.contains("now"));
    }

    @Test
    void its_threads_are_daemons_and_say_whose_they_are() {
        CompletableFuture<Thread> clockwork = new CompletableFuture<>();
        CompletableFuture<Thread> callback = new CompletableFuture<>();
        timer.after(0, () -> clockwork.complete(Thread.currentThread()));
        timer.callback(() -> callback.complete(Thread.currentThread()));
        assertThat(clockwork.join().getName()).startsWith("timer-test-timer-");
        assertThat(callback.join().getName()).startsWith("timer-test-callback-");
        assertThat(clockwork.join().isDaemon() && callback.join().isDaemon()).isTrue();
    }

    @Test
    void after_close_it_does_nothing() {
        timer.close();
        assertThatCode(() -> timer.after(0, () -> done.add("late"))).doesNotThrowAnyException();
        assertThat(done).isEmpty();
    }

    @Test
    void callbacks_that_were_due_before_close_still_run() {
        timer.callback(() -> done.add("callback"));
        timer.close();
        await().until(() -> done.contains("callback"));
    }
}
