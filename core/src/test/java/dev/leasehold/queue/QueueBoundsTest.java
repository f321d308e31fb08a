package dev.leasehold.queue;

import static dev.leasehold.queue.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.leasehold.queue.admin.QueueBounds;
import dev.leasehold.queue.spi.Portion;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How much one call may store or return. */
class QueueBoundsTest {
    private static final QueueBounds SMALL = QueueBounds.DEFAULT.partitions(3).requestBytes(10_000);

    @Test
    void items_of_one_request_are_limited_by_their_payloads_and_texts() {
        NewItem item = NewItem.of(new byte[4_000])
                .reference("r".repeat(500))
                .kind("k".repeat(200))
                .encoding("e");
        assertThat(item.weight()).isEqualTo(4_801);
        assertThatNoException().isThrownBy(() -> SMALL.checkRequest(List.of(item, item), NewItem::weight));
        assertRefused(
                () -> SMALL.checkRequest(List.of(item, item, item), NewItem::weight),
                "items is invalid; max_request_bytes is 10000 but received 14403");
    }

    @Test
    void partitions_are_limited() {
        assertThatNoException().isThrownBy(() -> SMALL.checkPartitions(3));
        assertRefused(() -> SMALL.checkPartitions(4), "partitions is invalid; cannot be greater than 3");
    }

    @Test
    void bounds_have_bounds() {
        assertRefused(() -> SMALL.partitions(0), "partitions must be between 1 and 32000, got 0");
        assertRefused(() -> SMALL.partitions(32_001), "partitions must be between 1 and 32000, got 32001");
        assertRefused(() -> SMALL.answerBytes(999), "answerBytes must be between 1000 and 512000000, got 999");
        assertRefused(
                () -> SMALL.requestBytes(512_000_001),
                "requestBytes must be between 1000 and 512000000, got 512000001");
    }

    @Test
    void a_portion_ends_with_the_item_that_reaches_its_bytes() {
        List<Integer> weights = List.of(6, 3, 1, 1);
        assertThat(new Portion(10, 9).cut(weights.iterator(), Integer::longValue, 1))
                .containsExactly(6, 3);
        assertThat(new Portion(10, 10).cut(weights.iterator(), Integer::longValue, 1))
                .containsExactly(6, 3, 1);
        assertThat(new Portion(10, 5).cut(weights.iterator(), Integer::longValue, 1))
                .containsExactly(6);
        assertThat(new Portion(10, 5).cut(weights.iterator(), Integer::longValue, 2))
                .containsExactly(6, 3);
        assertThat(new Portion(1, 50).cut(weights.iterator(), Integer::longValue, 2))
                .containsExactly(6);
        assertThat(Portion.of(10).cut(weights.iterator(), Integer::longValue, 1))
                .isEqualTo(weights);
    }
}
