package dev.leasehold.chaos.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.check.Violation;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.admin.QueueListing;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Queues that serve and can be deleted are told from those that do not and cannot. */
class AdminEndTest {
    private static final Duration LEASE = Duration.ofMillis(100);

    private final Queues queues = MemoryQueues.create();
    private final AdminEnd end = new AdminEnd(queues, Duration.ofSeconds(60));

    @AfterEach
    void close() {
        queues.close();
    }

    private List<QueueInfo> all() {
        return queues.list(QueueListing.DEFAULT);
    }

    @Test
    void a_queue_that_serves_is_good_and_can_be_deleted_before_its_dead_queue() {
        queues.create(QueueConfig.named("a-dead").leaseTimeout(LEASE));
        queues.create(QueueConfig.named("b").leaseTimeout(LEASE).maxAttempts(2).deadQueue("a-dead"));
        assertThat(end.checkServing(all())).isEmpty();
        assertThat(end.delete(all())).isEmpty();
        assertThat(all()).isEmpty();
    }

    @Test
    void a_queue_that_does_not_serve_is_found() {
        QueueInfo gone = queues.create(QueueConfig.named("gone").leaseTimeout(LEASE));
        queues.delete("gone");
        assertThat(end.checkServing(List.of(gone)))
                .extracting(Violation::sentence)
                .singleElement()
                .satisfies(sentence -> assertThat(sentence).startsWith("queue 'gone' does not serve: "));
    }

    @Test
    void a_lease_that_does_not_end_is_found() {
        QueueInfo slow = queues.create(QueueConfig.named("slow").leaseTimeout(Duration.ofHours(1)));
        assertThat(new AdminEnd(queues, Duration.ofSeconds(1)).checkServing(List.of(slow)))
                .extracting(Violation::sentence)
                .containsExactly("leases of [slow] did not end within PT1S");
    }

    @Test
    void a_queue_that_cannot_be_deleted_is_found() {
        QueueInfo dead = queues.create(QueueConfig.named("dead"));
        queues.create(QueueConfig.named("user").deadQueue("dead"));
        assertThat(end.delete(List.of(dead)))
                .extracting(Violation::sentence)
                .singleElement()
                .satisfies(sentence -> assertThat(sentence).startsWith("queue 'dead' cannot be deleted: "));
    }
}
