package dev.leasehold.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.server.ServerOptions.Limits;
import org.junit.jupiter.api.Test;

class ConnectionLimitTest {
    private static final long PLENTY = 1L << 40;

    private static int possible(long files, long heap) {
        return ConnectionLimit.of(Limits.DEFAULT.connections(20_000), files, heap);
    }

    @Test
    void there_are_not_more_connections_than_files() {
        assertThat(possible(1_024, PLENTY)).isEqualTo(768);
        assertThat(possible(1_048_576, PLENTY)).isEqualTo(20_000);
        assertThat(possible(100, PLENTY)).isEqualTo(1);
        assertThat(possible(-1, PLENTY)).as("unlimited").isEqualTo(20_000);
    }

    @Test
    void their_heads_fit_into_half_of_the_heap() {
        assertThat(possible(-1, 256L << 20)).isEqualTo(8_192);
        assertThat(possible(-1, 1L << 30)).isEqualTo(20_000);
    }
}
