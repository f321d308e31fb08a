package dev.leasehold.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class RecorderTest {
    private static final Counters NOTHING = new Counters(0, 0, Traffic.NONE, 0, -1);

    private final Recorder recorder = new Recorder();

    @Test
    void operations_and_latencies_of_all_threads_count() {
        recorder.tally().add(TimeUnit.MILLISECONDS.toNanos(1), 10);
        Tally other = recorder.tally();
        other.add(TimeUnit.MILLISECONDS.toNanos(1), 10);
        other.add(TimeUnit.MILLISECONDS.toNanos(50), 5);
        Measurement measured = Measurement.of(recorder, NOTHING, 5);
        assertThat(measured.operations()).isEqualTo(25);
        assertThat(measured.opsPerSecond()).isEqualTo(5);
        assertThat(measured.p50Ms()).isCloseTo(1, Percentage.withPercentage(1));
        assertThat(measured.p99Ms()).isCloseTo(50, Percentage.withPercentage(1));
        assertThat(measured.longestMs()).isCloseTo(50, Percentage.withPercentage(1));
    }

    @Test
    void what_was_spent_is_shared_out_among_the_operations() {
        recorder.tally().add(1, 4);
        recorder.elsewhere(new Traffic(8, 4), TimeUnit.SECONDS.toNanos(2));
        Counters before = new Counters(1000, 10, Traffic.NONE, 0, 0);
        Counters after = new Counters(1400, 12, new Traffic(4, 4), 0, TimeUnit.SECONDS.toNanos(3));
        Measurement measured = Measurement.of(recorder, after.since(before, recorder), 1);
        assertThat(measured.walBytesPerOp()).isEqualTo(100);
        assertThat(measured.idsPerOp()).isEqualTo(0.5);
        assertThat(measured.roundTripsPerOp()).hasValue(3);
        assertThat(measured.transactionsPerOp()).hasValue(2);
        assertThat(measured.clientCpuSeconds()).isEqualTo(2);
        assertThat(measured.databaseCpuSeconds()).hasValue(3);
    }

    @Test
    void what_cannot_be_seen_is_not_zero() {
        recorder.tally().add(1, 1);
        Measurement measured = Measurement.of(recorder, NOTHING, 1);
        assertThat(measured.roundTripsPerOp()).isEmpty();
        assertThat(measured.databaseCpuSeconds()).isEmpty();
    }

    @Test
    void seconds_can_be_told_apart() {
        recorder.tally().count(7);
        assertThat(recorder.rateBetween(0, 60)).isEqualTo(7.0 / 60);
        assertThat(recorder.rateBetween(100, 200)).isZero();
    }

    @Test
    void a_rate_can_be_reckoned_with_the_busy_time_alone() {
        assertThat(recorder.busyNanosOr(5)).isEqualTo(5);
        recorder.busy(1);
        recorder.busy(2);
        assertThat(recorder.busyNanosOr(5)).isEqualTo(3);
    }

    @Test
    void workers_repeat_their_step_until_the_time_is_over() throws InterruptedException {
        Workers.run(recorder, Duration.ofMillis(50), List.of(() -> 1, () -> 2));
        assertThat(recorder.operations()).isGreaterThan(2);
    }

    @Test
    void a_step_that_fails_ends_the_run() {
        List<Workers.Step> steps = List.of(() -> 1, () -> {
            throw new IllegalStateException("it broke");
        });
        assertThatThrownBy(() -> Workers.run(recorder, Duration.ofHours(1), steps))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("it broke");
    }
}
