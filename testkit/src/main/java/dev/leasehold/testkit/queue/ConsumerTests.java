package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.RetryRules;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedItem;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;

/** What the contracts of consumers share: handlers that are seen at work. */
abstract class ConsumerTests extends QueueContract {
    static final ConsumeOptions AGAIN_AT_ONCE = ConsumeOptions.DEFAULT.retry(RetryRules.fixed(Duration.ZERO));

    private final List<LeasedItem> handled = new CopyOnWriteArrayList<>();

    /** What a handler waits for that is to be seen at work. */
    private final Semaphore mayEnd = new Semaphore(0);

    private final List<Consumer> consumers = new CopyOnWriteArrayList<>();

    /** Lets so many handlers end that are blocked. */
    final void letEnd(int handlers) {
        mayEnd.release(handlers);
    }

    @AfterEach
    final void endHandlers() {
        mayEnd.release(10_000);
        consumers.forEach(Consumer::close);
    }

    /** What a test does with an item. */
    interface Step {
        void handle(LeasedItem item) throws Exception;
    }

    /** Starts a consumer that notes what it handles. */
    final Consumer consume(ItemQueue queue, ConsumeOptions options, Step step) {
        Consumer consumer = queue.consume(options, work -> {
            handled.add(work.item());
            step.handle(work.item());
        });
        consumers.add(consumer);
        return consumer;
    }

    /** Handles an item until the test lets it end. */
    final void block(LeasedItem item) throws InterruptedException {
        assertThat(item.attempts()).isPositive();
        mayEnd.acquire();
    }

    static void fail(LeasedItem item) {
        throw new IllegalStateException("cannot do " + item.text());
    }

    final List<LeasedItem> handled() {
        return handled;
    }

    final List<String> handledTexts() {
        return handled.stream().map(LeasedItem::text).toList();
    }

    final void awaitHandled(int count) {
        await(() -> handled.size() == count);
    }
}
