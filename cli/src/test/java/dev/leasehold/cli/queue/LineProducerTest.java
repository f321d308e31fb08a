package dev.leasehold.cli.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.NewItem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineProducerTest {
    private final List<List<NewItem>> batches = new ArrayList<>();
    private final LineProducer producer = new LineProducer(batches::add, note -> {});

    private void produce(String input) throws IOException {
        producer.produce(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), NewItem::of);
    }

    @Test
    void the_last_line_needs_no_line_feed_and_empty_lines_count() throws IOException {
        produce("a\n\nb");
        assertThat(batches).hasSize(1);
        assertThat(batches.get(0))
                .extracting(item -> new String(item.payload(), StandardCharsets.UTF_8))
                .containsExactly("a", "", "b");
        assertThat(producer.count()).isEqualTo(3);
        assertThat(producer.bytes()).isEqualTo(2);
    }

    @Test
    void a_batch_has_at_most_a_thousand_items() throws IOException {
        produce("x\n".repeat(2001));
        assertThat(batches).extracting(List::size).containsExactly(1000, 1000, 1);
    }

    @Test
    void a_batch_has_at_most_a_megabyte_unless_one_line_is_longer() throws IOException {
        produce("x".repeat(700_000) + "\n" + "y".repeat(700_000) + "\n" + "z".repeat(1_500_000) + "\n");
        assertThat(batches).extracting(List::size).containsExactly(1, 1, 1);
    }

    @Test
    void nothing_is_produced_of_nothing() throws IOException {
        produce("");
        assertThat(batches).isEmpty();
    }
}
