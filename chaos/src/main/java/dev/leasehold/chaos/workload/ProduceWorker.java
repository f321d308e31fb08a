package dev.leasehold.chaos.workload;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.When;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/** Produces a few items at a time, some of them for later. */
final class ProduceWorker extends Worker {
    private final QueueCalls calls;
    private final Function<Random, String> queues;

    ProduceWorker(Client client, int number, Function<Random, String> queues) {
        super(client, "produce", number, 40);
        this.calls = new QueueCalls(client.recorder(), name);
        this.queues = queues;
    }

    @Override
    void turn() {
        When when = chance(15) ? When.after(Duration.ofMillis(150 + random.nextInt(1500))) : When.now();
        List<NewItem> items = new ArrayList<>();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            items.add(NewItem.of(unique()).when(when));
        }
        calls.produce(client.queues().queue(queues.apply(random)), items);
    }
}
