package dev.leasehold.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.queue.DiscardReason;
import dev.leasehold.queue.DiscardedItems;
import dev.leasehold.queue.admin.QueueGauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The number of series is bounded, however many queues there are. */
class QueueGaugesTest {
    private static Stream<QueueGauge> gauges(String namespace, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new QueueGauge(namespace, String.format("%s%03d", namespace, i), i, 0, 0));
    }

    private static String shown(Stream<QueueGauge> gauges, List<DiscardedItems> discarded) {
        List<QueueGauge> all = gauges.toList();
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (MemoryQueues none = MemoryQueues.create()) {
            new QueueGauges(registry, () -> all, () -> discarded, new QueueDepths(none, System::nanoTime)).refresh();
        }
        return registry.scrape();
    }

    @Test
    void of_each_namespace_only_so_many_queues_are_shown_and_the_others_counted() {
        String page = shown(Stream.concat(gauges("many", 500), gauges("zoo", 3)), List.of());

        assertThat(page)
                .contains("leasehold_queue_ready{queue=\"many199\"} 199.0")
                .doesNotContain("many200")
                .contains("leasehold_queue_ready{queue=\"zoo002\"} 2.0")
                .contains("leasehold_queues_omitted 300.0");
    }

    @Test
    void many_namespaces_share_what_can_be_shown() {
        String page = shown(
                IntStream.range(0, 50).boxed().flatMap(i -> gauges(String.format("tenant%02d-", i), 100)), List.of());

        assertThat(page)
                .contains("leasehold_queue_ready{queue=\"tenant49-019\"} 19.0")
                .doesNotContain("tenant49-020")
                .contains("leasehold_queues_omitted 4000.0");
    }

    @Test
    void discards_that_have_no_series_of_their_own_are_counted_together() {
        List<DiscardedItems> discarded = gauges("many", 700)
                .map(queue -> new DiscardedItems(queue.queue(), DiscardReason.EXPIRED, 2))
                .toList();

        assertThat(shown(Stream.empty(), discarded))
                .contains("leasehold_queue_items_discarded_total{queue=\"many599\",reason=\"expired\"} 2.0")
                .doesNotContain("many600")
                .contains("leasehold_queue_items_discarded_omitted_total 200.0");
    }
}
