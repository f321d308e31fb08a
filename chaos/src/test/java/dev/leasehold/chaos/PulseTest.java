package dev.leasehold.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.history.Facts;
import dev.leasehold.chaos.history.Journal;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.Recorder;
import dev.leasehold.testkit.TestWaits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@Timeout(TestWaits.TEST_LIMIT)
class PulseTest {
    private static final Duration SHORT = Duration.ofMillis(300);

    @Test
    void calls_count_that_succeed_from_now_on(@TempDir Path directory) {
        try (Journal journal = Journal.writingTo(directory.resolve("one.jsonl"))) {
            Recorder recorder = new Recorder(journal, "one");
            call(recorder, true);
            Pulse pulse = new Pulse(directory);
            assertThat(pulse.rate(SHORT)).isZero();
            assertThat(during(() -> call(recorder, false), () -> pulse.rate(SHORT)))
                    .isZero();
            TestWaits.await().until(() -> during(() -> call(recorder, true), () -> pulse.rate(SHORT)) > 0);
        }
    }

    @Test
    void a_rate_that_does_not_come_back_is_told(@TempDir Path directory) {
        try (Journal journal = Journal.writingTo(directory.resolve("one.jsonl"))) {
            Recorder recorder = new Recorder(journal, "one");
            Pulse pulse = new Pulse(directory);
            assertThat(pulse.recover(1, 1, SHORT)).isEmpty();
            assertThat(during(
                            () -> call(recorder, true),
                            () -> pulse.recover(1, 1, Duration.ofSeconds(30)).isPresent() ? 1 : 0))
                    .isPositive();
        }
    }

    @Test
    void a_client_that_does_not_come_back_is_told(@TempDir Path directory) throws InterruptedException {
        try (Journal one = Journal.writingTo(directory.resolve("one.jsonl"));
                Journal two = Journal.writingTo(directory.resolve("two.jsonl"))) {
            Recorder recorder = new Recorder(one, "one");
            Recorder silent = new Recorder(two, "two");
            call(silent, true);
            Pulse pulse = new Pulse(directory);
            assertThat(during(
                            () -> call(recorder, true),
                            () -> pulse.recover(2, 0, SHORT).isPresent() ? 1 : 0))
                    .isZero();
        }
    }

    private static void call(Recorder recorder, boolean good) {
        Recorder.Call call = recorder.invoke("w", Operation.ACQUIRE, "k", Facts.NONE);
        if (good) {
            call.ok();
        } else {
            call.fail("locked");
        }
    }

    private interface Measure {
        double take();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Measures while something is done again and again. */
    private static double during(Runnable work, Measure measure) {
        AtomicBoolean over = new AtomicBoolean();
        Thread thread = new Thread(() -> {
            while (!over.get()) {
                work.run();
            }
        });
        thread.start();
        try {
            return measure.take();
        } finally {
            over.set(true);
            join(thread);
        }
    }
}
