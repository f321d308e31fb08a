package dev.leasehold.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.server.auth.Principal;
import dev.leasehold.server.http.Request;
import dev.leasehold.server.http.Response;
import dev.leasehold.testkit.TestWaits;
import dev.leasehold.wire.QueueLeaseRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What was leased and could not be delivered is given back: no attempt is lost with it. */
@Timeout(TestWaits.TEST_LIMIT)
class UndeliveredLeaseTest {
    private Queues queues;
    private ItemQueue queue;

    @BeforeEach
    void open() {
        queues = MemoryQueues.create();
        queues.create(QueueConfig.named("work").maxAttempts(1).discardDead());
        queue = queues.queue("work");
        queue.produce(NewItem.of("small"), NewItem.of(new byte[100_000]));
    }

    @AfterEach
    void close() {
        queues.close();
    }

    private static Request request(Function<String, @Nullable String> headers, int batch) {
        byte[] body = QueueLeaseRequest.newBuilder()
                .setQueueName("work")
                .setClientId("client")
                .setBatchSize(batch)
                .setRequestTimeout("10s")
                .build()
                .toByteArray();
        return new Request(
                "POST",
                "/v1/queue.lease",
                List.of(),
                headers,
                body,
                Principal.ANONYMOUS,
                Map.of(),
                new CompletableFuture<>());
    }

    private static @Nullable String protobuf(String header) {
        return header.equals("Content-Type") ? "application/protobuf" : null;
    }

    private void assertGivenBack(CompletableFuture<Response> answer) {
        TestWaits.await().until(answer::isDone);
        assertThat(answer).isCompletedExceptionally();
        TestWaits.await().until(() -> stored().stream().noneMatch(StoredItem::isLeased));
        assertThat(stored()).hasSize(2).allMatch(item -> item.attempts() == 0);
    }

    private List<StoredItem> stored() {
        return queue.admin().list(ItemListing.of(0));
    }

    @Test
    void an_answer_that_cannot_be_written() {
        for (int batch : List.of(1, 10)) {
            AtomicInteger asked = new AtomicInteger();
            Function<String, @Nullable String> headers = name -> {
                if (name.equals("Accept") && asked.incrementAndGet() > 1) {
                    throw new OutOfMemoryError("injected");
                }
                return protobuf(name);
            };
            assertGivenBack(
                    new ItemEndpoints(queues, new ResponseEncoder(Runnable::run)).lease(request(headers, batch)));
        }
    }

    @Test
    void an_answer_that_no_worker_takes() {
        Executor busy = task -> {
            throw new RejectedExecutionException("injected");
        };
        assertGivenBack(new ItemEndpoints(queues, new ResponseEncoder(busy))
                .lease(request(UndeliveredLeaseTest::protobuf, 10)));
    }

    @Test
    void an_answer_for_which_there_is_no_memory_while_others_are_written() {
        queue.produce(NewItem.of(new byte[100_000]));
        List<Runnable> held = new ArrayList<>();
        ItemEndpoints endpoints = new ItemEndpoints(queues, new ResponseEncoder(held::add, 150_000));
        Function<String, @Nullable String> headers = UndeliveredLeaseTest::protobuf;
        CompletableFuture<Response> first = endpoints.lease(request(headers, 2));
        TestWaits.await().until(() -> held.size() == 1);
        CompletableFuture<Response> second = endpoints.lease(request(headers, 1));
        TestWaits.await().until(second::isDone);
        assertThat(second)
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining("queue is overloaded; try again later");
        held.get(0).run();
        assertThat(first).succeedsWithin(TestWaits.LIMIT);
        TestWaits.await()
                .until(() -> stored().stream().filter(StoredItem::isLeased).count() == 2);
        held.clear();
        CompletableFuture<Response> third = endpoints.lease(request(headers, 1));
        TestWaits.await().until(() -> held.size() == 1);
        held.get(0).run();
        assertThat(third).succeedsWithin(TestWaits.LIMIT);
    }
}
