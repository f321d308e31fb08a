package dev.leasehold.queue.internal.consume;

import static dev.leasehold.TestWaits.LIMIT;
import static dev.leasehold.queue.internal.consume.ConsumerFixture.OPTIONS;
import static dev.leasehold.queue.internal.consume.FakeCall.Verb.EXTEND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.internal.consume.FakeCall.Verb;
import dev.leasehold.queue.item.ItemId;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConsumerHandlersTest {
    private final ConsumerFixture fixture = new ConsumerFixture();
    private final FakeQueue queue = fixture.queue;

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void as_many_handlers_run_at_once_as_the_options_say() {
        CyclicBarrier three = new CyclicBarrier(3);
        List<ItemId> ids = queue.put(30);
        fixture.start(OPTIONS.concurrency(3), item -> three.await(LIMIT.toSeconds(), TimeUnit.SECONDS));
        fixture.awaitCompleted(ids);
    }

    @Test
    @SuppressWarnings("ThreadPriorityCheck") // the more the handlers interleave, the better
    void never_do_more_handlers_run_at_once() {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<ItemId> ids = queue.put(500);
        fixture.start(OPTIONS.concurrency(3).batchSize(100), item -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            Thread.yield();
            running.decrementAndGet();
        });
        fixture.awaitCompleted(ids);
        assertThat(most.get()).isBetween(1, 3);
    }

    @Test
    void their_threads_are_daemons_and_say_whose_they_are() {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        List<ItemId> ids = queue.put(20);
        fixture.start(OPTIONS.concurrency(2), item -> threads.add(Thread.currentThread()));
        fixture.awaitCompleted(ids);
        assertThat(threads)
                .isNotEmpty()
                .allMatch(Thread::isDaemon)
                .allMatch(thread -> thread.getName().matches("leasehold-consumer-" + queue.name() + "-handler-[12]"));
    }

    @Test
    void neither_they_nor_the_store_do_what_is_the_loops() {
        fixture.leaseTimeout = Duration.ofMillis(30);
        List<ItemId> ids = queue.put(30);
        fixture.startGated(OPTIONS);
        fixture.call(EXTEND, 0);
        fixture.openGate();
        fixture.awaitCompleted(ids);
        for (Verb verb : Verb.values()) {
            assertThat(queue.calls(verb))
                    .allMatch(call -> call.thread.equals("leasehold-consumer-" + queue.name() + "-timer-1"));
        }
    }

    @Test
    void an_interrupt_that_a_handler_leaves_behind_does_not_reach_the_next() {
        AtomicInteger interrupted = new AtomicInteger();
        List<ItemId> ids = queue.put(5);
        fixture.start(OPTIONS, item -> {
            if (Thread.currentThread().isInterrupted()) {
                interrupted.incrementAndGet();
            }
            Thread.currentThread().interrupt();
        });
        fixture.awaitCompleted(ids);
        assertThat(interrupted.get()).isZero();
    }
}
