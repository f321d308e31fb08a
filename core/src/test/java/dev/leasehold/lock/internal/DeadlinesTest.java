package dev.leasehold.lock.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeadlinesTest {
    @ParameterizedTest
    @CsvSource({"30000, 3000", "3000, 300", "1500, 250", "750, 250", "600, 200", "60000, 5000", "3600000, 5000"})
    void work_stops_a_tenth_before_the_end_but_a_quarter_second_at_least_and_five_at_most(long ttlMs, long marginMs) {
        Deadlines deadlines = Deadlines.of(Duration.ofMillis(ttlMs));
        assertThat(Duration.ofNanos(deadlines.marginNanos())).isEqualTo(Duration.ofMillis(marginMs));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 10, 100, 249, 250, 251, 1000, 30_000, 31_536_000_000L})
    void the_deadlines_come_in_order(long ttlMs) {
        Deadlines deadlines = Deadlines.of(Duration.ofMillis(ttlMs));
        assertThat(deadlines.earlyNanos()).isPositive().isLessThan(deadlines.renewNanos());
        assertThat(deadlines.renewNanos()).isLessThan(deadlines.warnNanos());
        assertThat(deadlines.warnNanos()).isLessThanOrEqualTo(deadlines.stopNanos());
        assertThat(deadlines.stopNanos()).isLessThan(deadlines.expiredNanos());
        assertThat(deadlines.expiredNanos()).isEqualTo(Duration.ofMillis(ttlMs).toNanos());
    }

    @Test
    void half_a_minute_is_renewed_at_10_warned_of_at_20_stopped_at_27() {
        Deadlines deadlines = Deadlines.of(Duration.ofSeconds(30));
        assertThat(deadlines)
                .isEqualTo(new Deadlines(10_000_000_000L, 20_000_000_000L, 27_000_000_000L, 30_000_000_000L));
    }
}
