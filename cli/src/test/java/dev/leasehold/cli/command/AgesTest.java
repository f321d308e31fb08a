package dev.leasehold.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgesTest {
    private static final Instant NOW = Instant.parse("2026-11-18T20:00:00Z");

    @Test
    void a_moment_is_told_by_its_distance_from_now() {
        assertThat(Ages.of(NOW.minusSeconds(12), NOW)).isEqualTo("12 s ago");
        assertThat(Ages.of(NOW.plusMillis(18_400), NOW)).isEqualTo("in 18 s");
        assertThat(Ages.of(NOW, NOW)).isEqualTo("0 s ago");
    }

    @ParameterizedTest
    @CsvSource({
        "PT119S, 119 s",
        "PT119.6S, 2 min",
        "PT4M59.9S, 5 min",
        "PT119M, 119 min",
        "PT2H, 2 h",
        "PT47H, 47 h",
        "P2D, 2 d"
    })
    void a_duration_is_told_in_one_unit(Duration duration, String text) {
        assertThat(Ages.of(duration)).isEqualTo(text);
    }
}
