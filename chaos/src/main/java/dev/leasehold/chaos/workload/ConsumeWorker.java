package dev.leasehold.chaos.workload;

import dev.leasehold.chaos.history.Turn;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/** Leases a few items at a time, and does to each whatever one may do to an item; most are completed. */
final class ConsumeWorker extends Worker {
    private final QueueCalls calls;
    private final Function<Random, String> queues;

    ConsumeWorker(Client client, int number, Function<Random, String> queues) {
        super(client, "consume", number, 15);
        this.calls = new QueueCalls(client.recorder(), name);
        this.queues = queues;
    }

    @Override
    void turn() {
        ItemQueue queue = client.queues().queue(queues.apply(random));
        LeaseRequest request = LeaseRequest.of(client.node() + "/" + name, 1 + random.nextInt(8))
                .timeout(Duration.ofMillis(100 + random.nextInt(400)));
        LeasedBatch batch = chance(10)
                ? calls.leaseOrCancel(queue, request, PipelineQueues.LEASE, random.nextInt(40))
                : calls.lease(queue, request, PipelineQueues.LEASE);
        List<LeasedItem> done = new ArrayList<>();
        for (LeasedItem item : batch.items()) {
            settle(queue, batch.partition(), item, done);
        }
        if (!done.isEmpty()) {
            calls.complete(queue, batch.partition(), done);
        }
    }

    private void settle(ItemQueue queue, int partition, LeasedItem item, List<LeasedItem> done) {
        int dice = random.nextInt(100);
        if (dice < 6) {
            calls.retry(queue, partition, item, Turn.NOW, Duration.ZERO);
        } else if (dice < 10) {
            calls.retry(queue, partition, item, Turn.LATER, Duration.ofMillis(200 + random.nextInt(500)));
        } else if (dice < 12) {
            calls.retry(queue, partition, item, Turn.DEAD, Duration.ZERO);
        } else if (dice < 16) {
            calls.giveBack(queue, partition, List.of(item));
            if (chance(50)) {
                calls.giveBack(queue, partition, List.of(item)); // as after an answer that was lost
            }
        } else if (dice < 20) {
            calls.extend(queue, partition, List.of(item), PipelineQueues.LEASE);
            done.add(item);
        } else if (dice >= 25) {
            done.add(item);
        } // the others are left to themselves, until their lease ends
    }
}
