package dev.leasehold.lock.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LivenessTest {
    private static final long NOW = 1_700_000_000_000L;

    @ParameterizedTest
    @CsvSource({
        "5000, true",
        "1, true",
        "0, true",
        "-1, true",
        "-500, true",
        "-999, true",
        "-1000, false",
        "-1001, false",
        "-10000, false"
    })
    void a_lock_is_live_until_its_expiry_is_the_tolerance_ago(long expiresIn, boolean live) {
        assertThat(Liveness.isLive(NOW + expiresIn, NOW)).isEqualTo(live);
    }

    @Test
    void the_tolerance_is_one_second_and_sweeping_waits_longer() {
        assertThat(Liveness.TOLERANCE_MS).isEqualTo(1000);
        assertThat(Liveness.SWEEP_AFTER_MS).isGreaterThan(Liveness.TOLERANCE_MS);
    }
}
