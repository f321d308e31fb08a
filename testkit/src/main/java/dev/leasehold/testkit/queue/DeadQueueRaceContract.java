package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.admin.QueueUpdate;
import dev.leasehold.queue.item.ItemQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two calls at the same time that cannot both be: of each pair one succeeds and the other is refused. */
@Tag("slow")
public class DeadQueueRaceContract extends QueueContract {
    private static final int ROUNDS = 40;

    /** Runs both at once; true if the call succeeded, false if it was refused. */
    private void race(Runnable one, Runnable other) {
        CyclicBarrier barrier = new CyclicBarrier(2);
        CompletableFuture<Boolean> first = inBackground(() -> succeeds(barrier, one));
        CompletableFuture<Boolean> second = inBackground(() -> succeeds(barrier, other));
        assertThat(soon(first)).as("one of the two succeeds").isNotEqualTo(soon(second));
    }

    private static boolean succeeds(CyclicBarrier barrier, Runnable call) throws Exception {
        barrier.await();
        try {
            call.run();
            return true;
        } catch (QueueException e) {
            assertThat(e.code()).as(e.getMessage()).isEqualTo(QueueErrorCode.INVALID_ARGUMENT);
            return false;
        }
    }

    private String newName() {
        return newQueue().name();
    }

    private static QueueUpdate naming(Queues queues, String queue, String dead) {
        return QueueUpdate.to(queues.info(queue).config().deadQueue(dead));
    }

    @Test
    void a_dead_queue_is_deleted_or_a_queue_that_names_it_is_created() {
        Queues other = anotherNode();
        for (int i = 0; i < ROUNDS; i++) {
            String dead = newName();
            QueueConfig config = QueueConfig.named(unique("user")).deadQueue(dead);
            Runnable create = () -> queues().create(config);
            Runnable delete = () -> other.delete(dead);
            race(i % 2 == 0 ? create : delete, i % 2 == 0 ? delete : create);
        }
    }

    @Test
    void a_dead_queue_is_deleted_or_a_queue_is_updated_to_name_it() {
        Queues other = anotherNode();
        for (int i = 0; i < ROUNDS; i++) {
            String dead = newName();
            QueueUpdate update = naming(queues(), newName(), dead);
            Runnable change = () -> queues().update(update);
            Runnable delete = () -> other.delete(dead);
            race(i % 2 == 0 ? change : delete, i % 2 == 0 ? delete : change);
        }
    }

    @Test
    void two_queues_do_not_become_the_dead_queue_of_each_other() {
        Queues other = anotherNode();
        for (int i = 0; i < ROUNDS; i++) {
            String one = newName();
            String two = newName();
            QueueUpdate first = naming(queues(), one, two);
            QueueUpdate second = naming(queues(), two, one);
            race(() -> queues().update(first), () -> other.update(second));
        }
    }

    @Test
    void a_queue_becomes_a_dead_queue_or_gets_one() {
        Queues other = anotherNode();
        ItemQueue last = newQueue();
        for (int i = 0; i < ROUNDS; i++) {
            String middle = newName();
            QueueUpdate chained = naming(queues(), middle, last.name());
            QueueConfig config = QueueConfig.named(unique("user")).deadQueue(middle);
            race(() -> queues().create(config), () -> other.update(chained));
        }
    }
}
