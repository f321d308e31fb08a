package dev.leasehold.queue.internal.consume;

import static dev.leasehold.TestWaits.LIMIT;
import static dev.leasehold.TestWaits.await;

import dev.leasehold.queue.BatchHandler;
import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.RetryRules;
import dev.leasehold.queue.internal.consume.FakeCall.Verb;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeasedItem;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;

/** A consumer of a fake queue, whose handlers note what they begin and go on when the test lets them. */
final class ConsumerFixture implements AutoCloseable {
    static final ConsumeOptions OPTIONS = ConsumeOptions.DEFAULT
            .retry(RetryRules.exponential(Duration.ofSeconds(1), Duration.ofMinutes(5))
                    .withoutJitter())
            .stopTimeout(Duration.ofSeconds(10));

    final FakeQueue queue = new FakeQueue();
    final List<ItemId> begun = new CopyOnWriteArrayList<>();
    final Semaphore gate = new Semaphore(0);
    private final List<Consumer> consumers = new CopyOnWriteArrayList<>();
    volatile Duration leaseTimeout = Duration.ofMinutes(1);

    /** Told one by one before {@link #leaseTimeout}. */
    final Queue<Duration> firstLeaseTimeouts = new ConcurrentLinkedQueue<>();

    /** So long that no test can take giving up for the end it waits for. */
    Duration settleTimeout = LIMIT.multipliedBy(2);

    /** What a test does with an item. */
    interface Step {
        void handle(LeasedItem item) throws Exception;
    }

    Consumer start(ConsumeOptions options, Step step) {
        return startTurns(options, 1, works -> step.handle(works.get(0).item()));
    }

    Consumer startTurns(ConsumeOptions options, int turnSize, BatchHandler<LeasedItem> handler) {
        Consumer consumer = ConsumerRuntime.start(queue, this::leaseTimeout, options, turnSize, settleTimeout, handler);
        consumers.add(consumer);
        return consumer;
    }

    private Duration leaseTimeout() {
        Duration first = firstLeaseTimeouts.poll();
        return first == null ? leaseTimeout : first;
    }

    /** Handlers that return at once. */
    Consumer start(ConsumeOptions options) {
        return start(options, this::note);
    }

    /** Handlers that wait at the gate. */
    Consumer startGated(ConsumeOptions options) {
        return start(options, this::waitAtTheGate);
    }

    void note(LeasedItem item) {
        begun.add(item.id());
    }

    void waitAtTheGate(LeasedItem item) throws InterruptedException {
        note(item);
        gate.acquire();
    }

    /** Lets all handlers go. */
    void openGate() {
        gate.release(1_000_000);
    }

    FakeCall call(Verb verb, int index) {
        await().until(() -> queue.calls(verb).size() > index);
        return queue.calls(verb).get(index);
    }

    void awaitBegun(int count) {
        await().until(() -> begun.size() >= count);
    }

    void awaitCompleted(List<ItemId> ids) {
        await().until(() -> queue.items.completed().containsAll(ids));
    }

    @Override
    public void close() {
        queue.behave();
        openGate();
        consumers.forEach(Consumer::close);
        queue.close();
    }
}
