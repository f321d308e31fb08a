package dev.leasehold.chaos.workload;

import dev.leasehold.queue.NewItem;
import java.util.List;

/** Produces an item now and then for those who wait, and some when the run is over, so that nobody waits any longer. */
final class TrickleWorker extends Worker {
    private static final int SLICE_MILLIS = 20;
    private static final int MOST_SLICES = 50;
    private static final int LAST = 4;

    private final QueueCalls calls;

    TrickleWorker(Client client, int number) {
        super(client, "trickle", number, 1);
        this.calls = new QueueCalls(client.recorder(), name);
    }

    @Override
    void turn() {
        for (int i = random.nextInt(MOST_SLICES); i > 0 && !client.isOver().get(); i--) {
            pause(SLICE_MILLIS);
        }
        for (int i = client.isOver().get() ? LAST : 1; i > 0; i--) {
            calls.produce(
                    client.queues().queue(PipelineQueues.patient(client.prefix())), List.of(NewItem.of(unique())));
        }
    }
}
