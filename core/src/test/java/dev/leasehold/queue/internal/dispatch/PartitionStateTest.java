package dev.leasehold.queue.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How full a partition is, as far as a node knows from its own calls and from looks at the store. */
class PartitionStateTest {
    private final PartitionState part = new PartitionState(0);

    @Test
    void a_look_that_may_have_missed_what_is_being_produced_does_not_count() {
        part.add(10);
        part.produceBegins(10);
        look(10); // before that produce has committed
        part.produceEnded(10);
        part.add(10);
        assertThat(part.ready()).isEqualTo(20);
    }

    @Test
    void a_look_at_a_partition_where_nothing_happens_counts() {
        part.add(10);
        look(3);
        assertThat(part.ready()).isEqualTo(3);
    }

    @Test
    void a_produce_that_failed_leaves_nothing_behind() {
        part.produceBegins(10);
        part.produceEnded(10);
        assertThat(part.ready()).isZero();
        assertThat(part.isChanging()).isFalse();
    }

    private void look(int found) {
        part.setReady(found, part.isChanging() ? -1 : part.changes());
    }
}
