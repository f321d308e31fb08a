package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.item.ItemQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A queue can be declared at every start of an application: it is created, changed, or left as it is. */
public class DeclareContract extends QueueContract {
    @Test
    void a_queue_that_is_not_there_is_created() {
        QueueConfig config = QueueConfig.named(unique("declared")).leaseTimeout(LEASE);
        assertThat(queues().declare(config).config()).isEqualTo(config);
        assertThat(queues().info(config.name()).config()).isEqualTo(config);
    }

    @Test
    void a_queue_that_is_there_stays_as_it_is_with_its_items() {
        QueueConfig config = QueueConfig.named(unique("declared")).leaseTimeout(LEASE);
        QueueInfo first = queues().declare(config);
        ItemQueue queue = queues().queue(config.name());
        produce(queue, "a");
        assertThat(anotherNode().declare(config)).isEqualTo(first);
        assertThat(texts(stored(queue))).containsExactly("a");
    }

    @Test
    void a_queue_that_differs_is_changed() {
        QueueConfig config = QueueConfig.named(unique("declared")).leaseTimeout(LEASE);
        queues().declare(config);
        QueueConfig changed =
                config.leaseTimeout(LEASE.multipliedBy(2)).reference("changed").partitions(3);
        assertThat(queues().declare(changed).config()).isEqualTo(changed);
        assertThat(queues().info(config.name()).config()).isEqualTo(changed);
    }

    @Test
    void a_queue_with_attempts_gets_its_dead_queue_the_first_time_or_later() {
        QueueConfig config = QueueConfig.named(unique("declared")).leaseTimeout(LEASE);
        queues().declare(config);
        QueueConfig limited = config.maxAttempts(3);
        String dead = limited.ownDeadQueue().name();
        assertThat(queues().declare(limited).config().deadQueue()).isEqualTo(dead);
        assertThat(queues().declare(limited).config())
                .isEqualTo(config.maxAttempts(3).deadQueue(dead));
        assertThat(queues().info(dead).name()).isEqualTo(dead);
    }

    @Test
    void nodes_that_declare_the_same_queue_at_once_all_succeed() {
        QueueConfig config =
                QueueConfig.named(unique("declared")).leaseTimeout(LEASE).maxAttempts(2);
        List<Queues> nodes = List.of(queues(), anotherNode(), anotherNode());
        List<CompletableFuture<QueueInfo>> all = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            all.add(nodes.get(i % nodes.size()).declareAsync(config));
        }
        all.forEach(declared -> assertThat(declared.join().config())
                .isEqualTo(config.withOwnDeadQueue().stored()));
    }

    @Test
    void the_namespace_cannot_be_changed() {
        QueueConfig config = QueueConfig.named(unique("declared"));
        queues().declare(config);
        assertFails(
                QueueErrorCode.INVALID_ARGUMENT,
                "queue '" + config.name()
                        + "' is in namespace '_system', and the namespace of a queue cannot be changed;"
                        + " it was declared in 'other'",
                () -> queues().declare(config.namespace("other")));
    }

    @Test
    void a_wrong_configuration_is_refused() {
        QueueConfig config = QueueConfig.named(unique("declared")).deadQueue(unique("missing"));
        QueueErrorCode refused = catchThrowableOfType(QueueException.class, () -> queues().create(config))
                .code();
        assertFails(refused, () -> queues().declare(config));
        QueueConfig absurd = QueueConfig.named(unique("declared")).partitions(30_000);
        assertFails(QueueErrorCode.INVALID_ARGUMENT, () -> queues().declare(absurd));
    }
}
