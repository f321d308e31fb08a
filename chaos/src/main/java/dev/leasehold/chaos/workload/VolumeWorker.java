package dev.leasehold.chaos.workload;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.admin.QueueLimits;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Produces, leases and completes as many items in one call as there may be, or an item of a megabyte: seldom, so that it is not much. */
final class VolumeWorker extends Worker {
    private static final int SLICE_MILLIS = 50;
    private static final int MOST_SLICES = 200;
    private static final int MEGABYTE = 1_000_000;
    private static final int MOST_LEASES = 3;
    private static final char FIRST = ' ';
    private static final int CHARACTERS = 95;

    private final QueueCalls calls;

    VolumeWorker(Client client, int number) {
        super(client, "volume", number, 1);
        this.calls = new QueueCalls(client.recorder(), name);
    }

    @Override
    void turn() {
        for (int i = random.nextInt(MOST_SLICES); i > 0 && !client.isOver().get(); i--) {
            pause(SLICE_MILLIS);
        }
        if (client.isOver().get()) {
            return;
        }
        if (chance(50)) {
            handle(PipelineQueues.batches(client.prefix()), thousand(), QueueLimits.MAX_BATCH);
        } else {
            handle(PipelineQueues.megabytes(client.prefix()), List.of(NewItem.of(megabyte(unique()))), 2);
        }
    }

    private void handle(String name, List<NewItem> items, int batchSize) {
        ItemQueue queue = client.queues().queue(name);
        calls.produce(queue, items);
        LeaseRequest request =
                LeaseRequest.of(client.node() + "/" + this.name, batchSize).timeout(Duration.ofMillis(500));
        for (int i = 0; i < MOST_LEASES; i++) {
            LeasedBatch batch = calls.lease(queue, request, PipelineQueues.LEASE);
            if (batch.items().isEmpty()) {
                return;
            }
            calls.complete(queue, batch.partition(), batch.items());
        }
    }

    private List<NewItem> thousand() {
        String name = unique();
        List<NewItem> items = new ArrayList<>();
        for (int i = 0; i < QueueLimits.MAX_BATCH; i++) {
            items.add(NewItem.of(name + "/" + i));
        }
        return items;
    }

    /** Text that is not worth compressing. The history has its beginning and a digest. */
    private String megabyte(String name) {
        StringBuilder text = new StringBuilder(MEGABYTE).append(name).append(' ');
        while (text.length() < MEGABYTE) {
            text.append((char) (FIRST + random.nextInt(CHARACTERS)));
        }
        return text.toString();
    }
}
