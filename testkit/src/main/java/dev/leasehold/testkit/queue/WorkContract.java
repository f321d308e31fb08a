package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.Codec;
import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.HandlerTimeoutException;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.Queue;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueInterceptor;
import dev.leasehold.queue.RetryRules;
import dev.leasehold.queue.When;
import dev.leasehold.queue.Work;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Payloads with a type, and what a handler can say about the item that it works on. */
@Tag("slow") // waits for real time
public class WorkContract extends QueueContract {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final ConsumeOptions OPTIONS = ConsumeOptions.DEFAULT.retry(RetryRules.fixed(Duration.ZERO));

    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final List<Consumer> consumers = new CopyOnWriteArrayList<>();
    private final Semaphore gate = new Semaphore(0);

    @AfterEach
    final void closeConsumers() {
        gate.release(1_000);
        consumers.forEach(Consumer::close);
    }

    private Queue<String> newTexts() {
        return Queue.of(newQueue(), Codec.text());
    }

    private Queue<String> newTextsWithDeadQueue() {
        return Queue.of(newQueue(config -> config.maxAttempts(5)), Codec.text());
    }

    private List<String> dead(Queue<String> queue) {
        return texts(stored(queues().queue(queue.name() + "-dead")));
    }

    private void started(Consumer consumer) {
        consumers.add(consumer);
    }

    private static final Codec<Integer> NUMBERS = new Codec<>() {
        @Override
        public byte[] encode(Integer payload) {
            return Codec.text().encode(payload.toString());
        }

        @Override
        public Integer decode(byte[] bytes) {
            return Integer.valueOf(Codec.text().decode(bytes));
        }

        @Override
        public String encoding() {
            return "number";
        }
    };

    @Test
    void payloads_are_encoded_and_decoded() {
        Queue<Integer> queue = Queue.of(newQueue(), NUMBERS);
        queue.produce(1);
        queue.produceAll(List.of(2, 3));
        queue.produceAsync(4).join();
        queue.produce(5, item -> item.reference("customer 7"));
        started(queue.consume(work -> seen.add(
                work.payload() + " " + work.item().encoding() + work.item().reference() + " " + work.attempts())));
        awaitEmpty(queue.items());
        assertThat(seen)
                .containsExactly("1 number 1", "2 number 1", "3 number 1", "4 number 1", "5 numbercustomer 7 1");
    }

    @Test
    void a_scheduled_item_comes_when_it_is_due() {
        Queue<String> queue = newTexts();
        queue.produce("later", item -> item.when(When.after(HOUR)));
        started(queue.consume(work -> seen.add(work.payload())));
        assertThat(texts(scheduled(queue.items()))).containsExactly("later");
        outlive(HOUR);
        await(() -> seen.equals(List.of("later")));
    }

    @Test
    void a_payload_that_cannot_be_decoded_is_retried_and_dead_lettered_in_the_end() {
        Queue<String> texts = newTextsWithDeadQueue();
        Queue<Integer> numbers = Queue.of(texts.items(), NUMBERS);
        texts.produce("not a number");
        numbers.produce(7);
        started(numbers.consume(OPTIONS, work -> seen.add(work.payload().toString())));
        await(() -> dead(texts).equals(List.of("not a number")));
        assertThat(seen).containsExactly("7");
    }

    @Test
    void a_handler_can_have_its_item_retried_later() {
        Queue<String> queue = newTexts();
        queue.produce("a");
        started(queue.consume(work -> {
            seen.add(work.payload() + work.attempts());
            if (work.attempts() == 1) {
                work.retryAfter(HOUR);
            }
        }));
        await(() -> scheduled(queue.items()).size() == 1);
        assertNear(scheduled(queue.items()).get(0).enqueueAt(), now().plus(HOUR));
        outlive(HOUR);
        awaitEmpty(queue.items());
        await(() -> seen.equals(List.of("a1", "a2")));
    }

    @Test
    void a_handler_can_bury_its_item() {
        Queue<String> queue = newTextsWithDeadQueue();
        queue.produce("a");
        queue.produce("b");
        started(queue.consume(work -> {
            seen.add(work.payload());
            if (work.payload().equals("a")) {
                work.bury("the customer has gone");
            }
        }));
        await(() -> dead(queue).equals(List.of("a")));
        awaitEmpty(queue.items());
        assertThat(seen).containsExactly("a", "b");
    }

    @Test
    void rules_by_exception_decide_what_is_never_retried_and_what_is_retried_when() {
        Queue<String> queue = newTextsWithDeadQueue();
        queue.produceAll(List.of("invalid", "limited", "fails once"));
        RetryRules rules = RetryRules.fixed(Duration.ZERO)
                .never(IllegalArgumentException.class)
                .after(UnsupportedOperationException.class, HOUR);
        started(queue.consume(ConsumeOptions.DEFAULT.retry(rules), work -> {
            seen.add(work.payload());
            switch (work.payload()) {
                case "invalid" -> throw new IllegalStateException(new IllegalArgumentException("by its cause"));
                case "limited" -> throw new UnsupportedOperationException("not now");
                default -> {
                    if (work.attempts() == 1) {
                        throw new IllegalStateException("once");
                    }
                }
            }
        }));
        await(() -> dead(queue).equals(List.of("invalid")));
        awaitEmpty(queue.items());
        assertThat(texts(scheduled(queue.items()))).containsExactly("limited");
        await(() -> seen.equals(List.of("invalid", "limited", "fails once", "fails once")));
    }

    @Test
    void a_batch_is_completed_but_for_the_items_that_its_handler_decides_about() {
        Queue<String> queue = newTextsWithDeadQueue();
        queue.produceAll(List.of("done", "later", "dead", "done too"));
        started(queue.consumeBatches(OPTIONS, batch -> {
            for (Work<String> work : batch) {
                seen.add(work.payload());
                if (work.payload().equals("later")) {
                    work.retryAfter(HOUR);
                } else if (work.payload().equals("dead")) {
                    work.bury("of no use");
                }
            }
        }));
        await(() -> dead(queue).equals(List.of("dead")));
        awaitEmpty(queue.items());
        assertThat(texts(scheduled(queue.items()))).containsExactly("later");
        assertThat(seen).containsExactly("done", "later", "dead", "done too");
    }

    @Test
    void of_a_batch_whose_handler_throws_all_undecided_items_are_retried() {
        Queue<String> queue = newTexts();
        queue.produceAll(List.of("a", "b", "c"));
        Set<String> again = ConcurrentHashMap.newKeySet();
        started(queue.consumeBatches(OPTIONS, batch -> {
            List<Work<String>> first = new ArrayList<>(batch);
            first.removeIf(work -> work.attempts() > 1);
            batch.stream().filter(work -> work.attempts() > 1).forEach(work -> again.add(work.payload()));
            if (!first.isEmpty()) {
                first.get(0).retryAfter(HOUR);
                throw new IllegalStateException("as it is meant to");
            }
        }));
        await(() -> again.containsAll(Set.of("b", "c")));
        awaitEmpty(queue.items());
        assertThat(texts(scheduled(queue.items()))).containsExactly("a");
    }

    @Test
    void of_a_batch_only_what_cannot_be_decoded_is_retried() {
        Queue<String> texts = newTextsWithDeadQueue();
        Queue<Integer> numbers = Queue.of(texts.items(), NUMBERS);
        texts.produceAll(List.of("1", "not a number", "2"));
        started(numbers.consumeBatches(
                OPTIONS, batch -> batch.forEach(work -> seen.add(work.payload().toString()))));
        await(() -> dead(texts).equals(List.of("not a number")));
        assertThat(seen).containsExactly("1", "2");
    }

    @Test
    void a_handler_that_runs_for_too_long_is_interrupted_and_the_next_one_is_not() {
        Queue<String> queue = newTextsWithDeadQueue();
        queue.produceAll(List.of("slow", "next"));
        CountDownLatch never = new CountDownLatch(1);
        ConsumeOptions options = ConsumeOptions.DEFAULT
                .handlerTimeout(Duration.ofMillis(50))
                .retry(RetryRules.fixed(HOUR).never(HandlerTimeoutException.class));
        started(queue.consume(options, work -> {
            if (work.payload().equals("slow")) {
                never.await();
            }
            seen.add(work.payload() + " " + Thread.currentThread().isInterrupted());
        }));
        await(() -> dead(queue).equals(List.of("slow")));
        await(() -> seen.equals(List.of("next false")));
    }

    @Test
    void a_handler_learns_that_its_lease_was_lost() {
        Queue<String> queue = Queue.of(newQueue(config -> config.leaseTimeout(Duration.ofSeconds(2))), Codec.text());
        queue.produce("a");
        CountDownLatch lost = new CountDownLatch(1);
        started(queue.consume(work -> {
            seen.add(work.payload());
            if (work.attempts() == 1) {
                await(work::isLost);
                try {
                    work.extend(HOUR);
                } catch (QueueException e) {
                    lost.countDown();
                }
            }
        }));
        await(() -> !seen.isEmpty());
        queue.items()
                .admin()
                .delete(0, stored(queue.items()).stream().map(QueueContract::id).toList());
        await(() -> lost.getCount() == 0);
    }

    @Test
    void a_handler_can_extend_its_lease() {
        Queue<String> queue = newTexts();
        queue.produce("a");
        started(queue.consume(work -> {
            work.extend(HOUR);
            assertNear(work.deadline(), now().plus(HOUR));
            seen.add(work.payload());
            gate.acquire();
        }));
        await(() -> !seen.isEmpty());
        assertNear(onlyStored(queue.items()).leaseDeadline(), now().plus(HOUR));
        gate.release();
        awaitEmpty(queue.items());
    }

    @Test
    void interceptors_run_around_produce_and_handle_the_first_outermost() {
        Queue<String> queue = newTexts().with(tracer("outer")).with(tracer("inner"));
        queue.produce("a");
        started(queue.consume(
                work -> seen.add("handle " + work.payload() + " " + work.item().reference())));
        awaitEmpty(queue.items());
        await(() -> seen.size() == 5);
        assertThat(seen)
                .containsExactly(
                        "outer begins 1", "inner begins 1", "handle a outer,inner,", "inner ends", "outer ends");
    }

    private QueueInterceptor tracer(String name) {
        return new QueueInterceptor() {
            @Override
            public NewItem onProduce(String queue, NewItem item) {
                return item.reference(item.reference() + name + ",");
            }

            @Override
            public void aroundHandle(String queue, List<? extends Work<?>> batch, Invocation handler) throws Exception {
                seen.add(name + " begins " + batch.size());
                handler.proceed();
                seen.add(name + " ends");
            }
        };
    }

    @Test
    void an_interceptor_that_throws_counts_as_a_handler_that_throws() {
        Queue<String> queue = newTextsWithDeadQueue();
        queue.produce("a");
        started(queue.with(new QueueInterceptor() {
                    @Override
                    public void aroundHandle(String name, List<? extends Work<?>> batch, Invocation handler) {
                        throw new IllegalStateException("no entry");
                    }
                })
                .consume(OPTIONS, work -> seen.add(work.payload())));
        await(() -> dead(queue).equals(List.of("a")));
        assertThat(seen).isEmpty();
    }
}
