package dev.leasehold.chaos.workload;

import dev.leasehold.chaos.history.Facts;
import dev.leasehold.chaos.history.ItemFacts;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.Recorder;
import dev.leasehold.chaos.history.Turn;
import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.RetryRules;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedItem;
import java.time.Duration;
import java.util.List;

/**
 * Starts a consumer, lets it work for a while, and closes it; some handlers fail, some take too long for the close.
 *
 * <p>What the consumer does with an item after its handler nobody tells: it may have been carried out or not.
 */
final class ConsumerWorker extends Worker {
    ConsumerWorker(Client client, int number) {
        super(client, "consumer", number, 50);
    }

    /** The queue that is worked so. */
    static String queue(String prefix) {
        return prefix + "worked";
    }

    @Override
    void turn() {
        ItemQueue queue = client.queues().queue(queue(client.prefix()));
        ConsumeOptions options = ConsumeOptions.DEFAULT
                .concurrency(1 + random.nextInt(3))
                .batchSize(1 + random.nextInt(20))
                .retry(RetryRules.exponential(Duration.ofMillis(20), Duration.ofMillis(200)))
                .stopTimeout(Duration.ofMillis(random.nextInt(200)));
        try (Consumer consumer = queue.consume(options, work -> handle(work.item()))) {
            int until = 200 + random.nextInt(2000);
            for (int i = 0;
                    i < until && !consumer.isClosed() && !client.isOver().get();
                    i += 20) {
                pause(20);
            }
        } catch (QueueException e) {
            pause(50); // the store is away
        }
    }

    private void handle(LeasedItem item) throws InterruptedException {
        ItemFacts fact = ItemFacts.of(item.text()).id(item.id().value()).attempts(item.attempts());
        call(Operation.LEASE, Facts.NONE).ok(Facts.items(List.of(fact)));
        int dice = item.text().hashCode() & 63;
        Thread.sleep(dice == 0 ? 300 : dice / 4);
        if (dice == 1 && item.attempts() < 3) {
            call(Operation.RETRY, Facts.items(List.of(fact.turn(Turn.LATER)))).unknown("by the consumer");
            throw new IllegalStateException("a handler that fails, as it is meant to");
        }
        call(Operation.COMPLETE, Facts.items(List.of(fact))).unknown("by the consumer");
    }

    private Recorder.Call call(Operation operation, Facts facts) {
        return client.recorder().invoke(name, operation, queue(client.prefix()), facts);
    }
}
