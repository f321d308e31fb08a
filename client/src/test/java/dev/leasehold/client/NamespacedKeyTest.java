package dev.leasehold.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.ServerOptions;
import dev.leasehold.server.auth.Grant;
import dev.leasehold.server.auth.Permission;
import dev.leasehold.server.auth.Principal;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A credential that is limited to one namespace does there what others do everywhere. */
class NamespacedKeyTest {
    private static final Principal SHOP =
            new Principal("shop", true, List.of(new Grant("shop", EnumSet.allOf(Permission.class))));

    private final LeaseholdServer server = LeaseholdServer.start(
            ServerOptions.DEFAULT.address("127.0.0.1", 0).access(header -> CompletableFuture.completedFuture(SHOP)),
            MemoryLocks.create(),
            MemoryQueues.create());
    private final HttpQueues queues =
            HttpQueues.builder(HttpLockFixture.address(server)).token("shop").build();

    @AfterEach
    void close() {
        queues.close();
        server.close();
    }

    @Test
    void a_queue_with_max_attempts_is_created_with_its_dead_queue() {
        QueueConfig jobs = queues.create(
                        QueueConfig.named("jobs").namespace("shop").maxAttempts(3))
                .config();
        assertThat(jobs.deadQueue()).isEqualTo("jobs-dead");
        assertThat(queues.info("jobs-dead").config().namespace()).isEqualTo("shop");
    }
}
