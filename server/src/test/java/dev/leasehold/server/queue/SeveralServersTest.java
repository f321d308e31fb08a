package dev.leasehold.server.queue;

import static dev.leasehold.server.queue.QueueClient.ids;
import static dev.leasehold.server.queue.QueueDoorTests.range;

import com.fasterxml.jackson.databind.JsonNode;
import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.memory.MemoryQueueStore;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.queue.QueueOptions;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.ServerOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several servers on the same queues, as behind a load balancer. */
@Timeout(60)
class SeveralServersTest {
    @Test
    void an_item_in_a_partition_that_was_added_through_another_server_can_be_settled() {
        MemoryQueueStore store = new MemoryQueueStore();
        QueueOptions rarely = QueueOptions.DEFAULT.lookInterval(Duration.ofMinutes(1));
        ServerOptions any = ServerOptions.DEFAULT.address("127.0.0.1", 0);
        try (LeaseholdServer first = LeaseholdServer.start(any, MemoryLocks.create(), MemoryQueues.on(store, rarely));
                LeaseholdServer second =
                        LeaseholdServer.start(any, MemoryLocks.create(), MemoryQueues.on(store, rarely))) {
            QueueClient a = new QueueClient(first.port());
            QueueClient b = new QueueClient(second.port());
            a.create("q");
            a.produce("q", "x");
            b.post("queues.update", "queue_name", "q", "requested_partitions", 3)
                    .ok();
            range(3).forEach(i -> b.produce("q", "y"));
            JsonNode leased = b.lease("q", 1);
            while (leased.path("partition").asInt() == 0) {
                leased = b.lease("q", 1);
            }
            int partition = leased.path("partition").asInt();
            a.complete("q", partition, ids(leased)).ok();
            a.complete("q", 3, ids(leased)).isRefusal(400, "partition is invalid; '3' is not a valid partition");
        }
    }
}
