package dev.leasehold.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueOptions;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.ProduceRequest;
import dev.leasehold.queue.spi.ItemStore;
import dev.leasehold.queue.spi.LeaseQueues;
import dev.leasehold.queue.spi.NamedStore;
import dev.leasehold.queue.spi.QueueRecords;
import dev.leasehold.testkit.TestWaits;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store that throws Errors fails the calls that it is asked for, and no other; when it is well again, so is the node. */
@Timeout(TestWaits.TEST_LIMIT)
class FaultyStoreTest {
    private final MemoryQueueStore store = new MemoryQueueStore();
    private volatile Set<String> faulty = Set.of();
    private volatile boolean isThrown;
    private final Node node = new Node();

    private final class Node extends LeaseQueues {
        Node() {
            super(
                    wrapped(QueueRecords.class, store.records()),
                    List.of(new NamedStore(MemoryQueueStore.NAME, 1, wrapped(ItemStore.class, store.items()))),
                    QueueOptions.DEFAULT.lookInterval(Duration.ofMillis(20)));
        }
    }

    private <T> T wrapped(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, given) -> {
                    Throwable fault = faulty.contains(method.getName()) ? new OutOfMemoryError("injected") : null;
                    if (fault != null && (isThrown || method.getReturnType() != CompletableFuture.class)) {
                        throw fault;
                    }
                    if (fault != null) {
                        return CompletableFuture.failedFuture(fault);
                    }
                    try {
                        Object result = method.invoke(target, given);
                        return result instanceof ItemStore other ? wrapped(ItemStore.class, other) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    @AfterEach
    void close() {
        faulty = Set.of();
        node.close();
    }

    private static void ends(CompletableFuture<?> call) throws Exception {
        try {
            call.get(TestWaits.LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            assertThat(e.getCause()).isInstanceOf(QueueException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void every_call_ends_and_the_node_goes_on(boolean isThrown) throws Exception {
        this.isThrown = isThrown;
        node.create(QueueConfig.named("work"));
        ItemQueue queue = node.queue("work");
        for (Set<String> what : List.of(
                Set.of("produce"),
                Set.of("lease", "look"),
                Set.of("lease"),
                Set.of("complete", "giveBack"),
                Set.of("list", "count", "importItems"),
                Set.of("sweep", "all", "look"),
                Set.of("get", "create", "delete", "update"))) {
            faulty = what;
            ends(queue.produceAsync(ProduceRequest.of(NewItem.of("x"))));
            ends(queue.leaseAsync(LeaseRequest.of("client", 10).timeout(Duration.ofMillis(100))));
            ends(queue.admin().listAsync(ItemListing.of(0)));
            ends(queue.admin().statsAsync());
            ends(node.infoAsync("work"));
            ends(node.queue("unknown").admin().statsAsync());
            ends(node.createAsync(QueueConfig.named("other")));
            faulty = Set.of();
            queue.produce(NewItem.of("again"));
            LeasedBatch batch = queue.lease(LeaseRequest.of("client", 10));
            assertThat(batch.isEmpty()).isFalse();
            queue.complete(batch);
        }
    }

    @Test
    void who_waits_is_served_when_the_store_is_well_again() throws Exception {
        isThrown = true;
        node.create(QueueConfig.named("work"));
        ItemQueue queue = node.queue("work");
        faulty = Set.of("lease");
        CompletableFuture<LeasedBatch> waiting = queue.leaseAsync(LeaseRequest.of("client", 10));
        queue.produce(NewItem.of("x"));
        @Nullable LeasedBatch early = waiting.getNow(null);
        assertThat(early).isNull();
        faulty = Set.of();
        assertThat(waiting.get(TestWaits.LIMIT.toSeconds(), TimeUnit.SECONDS).items())
                .hasSize(1);
    }
}
