package dev.leasehold.server.queue;

import static dev.leasehold.server.queue.QueueClient.ids;
import static dev.leasehold.server.queue.QueueEndpointsTests.range;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.memory.MemoryQueueStore;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.queue.QueueOptions;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.ServerOptions;
import dev.leasehold.server.auth.Grant;
import dev.leasehold.server.auth.Permission;
import dev.leasehold.server.auth.Principal;
import dev.leasehold.testkit.TestWaits;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several servers on the same queues, as behind a load balancer. */
@Timeout(TestWaits.TEST_LIMIT)
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

    @Test
    void a_grant_for_a_namespace_does_not_open_a_queue_that_was_created_anew_in_another() {
        MemoryQueueStore store = new MemoryQueueStore();
        QueueOptions rarely = QueueOptions.DEFAULT.lookInterval(Duration.ofMinutes(1));
        ServerOptions any = ServerOptions.DEFAULT.address("127.0.0.1", 0);
        Principal tenant = new Principal("tenant", true, List.of(new Grant("old", EnumSet.allOf(Permission.class))));
        try (LeaseholdServer first = LeaseholdServer.start(
                        any.access(header -> CompletableFuture.completedFuture(tenant)),
                        MemoryLocks.create(),
                        MemoryQueues.on(store, rarely));
                LeaseholdServer second =
                        LeaseholdServer.start(any, MemoryLocks.create(), MemoryQueues.on(store, rarely))) {
            QueueClient a = new QueueClient(first.port());
            QueueClient b = new QueueClient(second.port());
            b.create("q", "namespace", "old");
            a.produce("q", "x");
            b.post("queues.delete", "queue_name", "q").ok();
            b.create("q", "namespace", "new");
            Answer refused = a.post(
                    "queue.produce", "queue_name", "q", "request_timeout", "1m", "items", List.of(Map.of("utf8", "y")));
            if (refused.status() == 403) { // it has looked meanwhile, and knows the new one
                refused.isRefusal(403, "access denied");
            } else {
                refused.isRefusal(400, "queue does not exist; no such queue named 'q'");
            }
            assertThat(b.items("q")).isEmpty();
            a.post("queue.stats", "queue_name", "q").isRefusal(403, "access denied");
        }
    }
}
