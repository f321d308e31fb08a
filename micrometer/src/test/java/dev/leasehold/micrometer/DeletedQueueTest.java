package dev.leasehold.micrometer;

import static dev.leasehold.testkit.TestWaits.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.RetryItem;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Metrics forget a queue that was deleted. The clock stands still, so that no queue is counted a second time. */
class DeletedQueueTest {
    private static final String TWO_READY = "leasehold_queue_items{queue=\"orders\",state=\"ready\"} 2.0";
    private static final String NONE_READY = "leasehold_queue_items{queue=\"orders\",state=\"ready\"} 0.0";

    private final MemoryQueues queues = MemoryQueues.create();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final QueueDepths depths = new QueueDepths(queues, () -> 0);
    private final QueueGauges meters = new QueueGauges(registry, queues::gauges, queues::discarded, depths);

    @AfterEach
    void close() {
        queues.close();
    }

    private String scrape() {
        meters.refresh();
        return registry.scrape();
    }

    private void create() {
        queues.create(QueueConfig.named("orders"));
    }

    private void createWithTwoItems() {
        create();
        queues.queue("orders").produce(NewItem.of("tea"), NewItem.of("milk"));
        await().until(() -> scrape().contains(TWO_READY));
    }

    @Test
    void a_deleted_queue_is_neither_shown_nor_kept() {
        createWithTwoItems();
        queues.delete("orders");
        assertThat(scrape()).doesNotContain("orders");
        assertThat(depths.size()).isZero();
    }

    @Test
    void a_new_queue_does_not_show_the_depth_of_a_deleted_one_of_its_name() {
        createWithTwoItems();
        queues.delete("orders");
        scrape();
        create();
        assertThat(scrape()).doesNotContain(TWO_READY);
        await().until(() -> scrape().contains(NONE_READY));
    }

    @Test
    void discards_of_a_deleted_queue_are_neither_shown_nor_kept() {
        createWithTwoItems();
        LeasedBatch batch = queues.queue("orders").lease(LeaseRequest.of("me", 1));
        queues.queue("orders")
                .retry(batch.partition(), List.of(RetryItem.dead(batch.ids().get(0))));
        assertThat(scrape())
                .contains("leasehold_queue_items_discarded_total{queue=\"orders\",reason=\"rejected\"} 1.0");
        queues.delete("orders");
        assertThat(scrape()).doesNotContain("orders");
    }
}
