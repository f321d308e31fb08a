package dev.leasehold.bench.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.bench.Recorder;
import java.util.List;
import org.junit.jupiter.api.Test;

class TurnsTest {
    private final Recorder recorder = new Recorder();

    @Test
    void only_hand_offs_to_another_worker_count() {
        new Turns(List.of(new Turn(1, 30, 40, 5), new Turn(1, 0, 10, 0), new Turn(2, 50, 60, 45)), List.of())
                .record(recorder);
        assertThat(recorder.operations()).isEqualTo(1);
        assertThat(recorder.latencies().getMaxValue()).isEqualTo(10);
    }

    @Test
    void two_holders_at_once_are_found_out() {
        Turns turns = new Turns(List.of(new Turn(1, 0, 100, 0), new Turn(2, 99, 110, 0)), List.of());
        assertThatThrownBy(() -> turns.record(recorder)).hasMessageContaining("at the same time");
    }

    @Test
    void turns_of_several_jvms_are_put_in_order() {
        Turns here = new Turns(List.of(new Turn(1, 0, 10, 0), new Turn(1, 40, 50, 0)), List.of(7L));
        Turns there = new Turns(List.of(new Turn(2, 20, 30, 0)), List.of());
        Turns.together(List.of(here, there)).record(recorder);
        assertThat(recorder.operations()).isEqualTo(2);
    }

    @Test
    void a_turn_survives_the_way_between_jvms() {
        Turn turn = new Turn(3, 1, 2, 4);
        assertThat(Turn.parse(turn.text())).isEqualTo(turn);
    }
}
