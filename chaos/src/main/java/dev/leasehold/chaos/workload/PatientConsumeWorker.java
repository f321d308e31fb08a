package dev.leasehold.chaos.workload;

import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;

/** Waits for items of a queue that is mostly empty, for much longer than it takes until one comes; see {@link PatientLockWorker}. */
final class PatientConsumeWorker extends Worker {
    private final QueueCalls calls;

    PatientConsumeWorker(Client client, int number) {
        super(client, "patient", number, 50);
        this.calls = new QueueCalls(client.recorder(), name);
    }

    @Override
    void turn() {
        ItemQueue queue = client.queues().queue(PipelineQueues.patient(client.prefix()));
        LeaseRequest request = LeaseRequest.of(client.node() + "/" + name, 1).timeout(PatientLockWorker.WAIT);
        LeasedBatch batch = calls.lease(queue, request, PipelineQueues.LEASE);
        if (!batch.items().isEmpty()) {
            calls.complete(queue, batch.partition(), batch.items());
        }
    }
}
