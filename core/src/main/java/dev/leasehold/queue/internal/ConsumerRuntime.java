package dev.leasehold.queue.internal;

import dev.leasehold.queue.BatchHandler;
import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.internal.Handlers.Ending;
import dev.leasehold.queue.internal.HeldItem.Decision;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.spi.QueueEvents;
import dev.leasehold.spi.Nanos;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A consumer at work on any queue.
 *
 * <ol>
 *   <li>{@link LeaseLoop} leases what there is room for;
 *   <li>{@link Handlers} run the handler, as many at once as the options say;
 *   <li>{@link LeaseKeeper} extends the leases meanwhile;
 *   <li>{@link SettleLine} completes, retries or gives back, together what ends together.
 * </ol>
 *
 * <p>All of that is decided in one thread, the {@link ConsumerDesk}; {@link ConsumerBooks} are what it writes down.
 */
public final class ConsumerRuntime implements Consumer {
    private static final Logger log = LoggerFactory.getLogger(ConsumerRuntime.class);

    /** How long the store is waited for at the end, when no handler runs any more. */
    static final Duration SETTLE_TIMEOUT = Duration.ofSeconds(5);

    private final long settleNanos;
    private final ConsumerScope scope;
    private final ConsumerDesk desk;
    private final ConsumerBooks books;
    private final LeaseLoop leases;
    private final Handlers handlers;
    private final CountDownLatch closed = new CountDownLatch(1);
    private boolean stopping;
    private boolean lastCall;

    private ConsumerRuntime(
            ItemQueue queue,
            Supplier<Duration> leaseTimeout,
            ConsumeOptions options,
            int turnSize,
            Duration settleTimeout,
            QueueEvents events,
            BatchHandler<LeasedItem> handler) {
        settleNanos = settleTimeout.toNanos();
        desk = new ConsumerDesk("leasehold-consumer-" + queue.name(), this::look);
        scope = new ConsumerScope(queue, leaseTimeout, options, turnSize, desk, events, this::ended);
        books = new ConsumerBooks(scope);
        leases = new LeaseLoop(scope, this::take);
        handlers = new Handlers(
                scope, handler, (items, ending, failure) -> desk.run(() -> finished(items, ending, failure)));
    }

    /**
     * Begins to consume.
     *
     * @param leaseTimeout tells the lease timeout of the queue as it is now; asked often, must not block or throw
     * @param turnSize how many items the handler works on at a time, at most
     * @param events reports what the handlers did
     */
    public static Consumer start(
            ItemQueue queue,
            Supplier<Duration> leaseTimeout,
            ConsumeOptions options,
            int turnSize,
            QueueEvents events,
            BatchHandler<LeasedItem> handler) {
        return start(queue, leaseTimeout, options, turnSize, SETTLE_TIMEOUT, events, handler);
    }

    static Consumer start(
            ItemQueue queue,
            Supplier<Duration> leaseTimeout,
            ConsumeOptions options,
            int turnSize,
            Duration settleTimeout,
            QueueEvents events,
            BatchHandler<LeasedItem> handler) {
        ConsumerRuntime consumer =
                new ConsumerRuntime(queue, leaseTimeout, options, turnSize, settleTimeout, events, handler);
        consumer.desk.run(() -> {}); // what follows on any news: it looks around, and leases
        return consumer;
    }

    /** What follows on any news. */
    private void look() {
        if (!stopping) {
            leases.ask(books.room());
            return;
        }
        if (books.unfinished() == 0) {
            giveUpSoon();
        }
        if (books.unfinished() == 0 && books.unsettled() == 0 && !leases.isUnderWay()) {
            finish();
        }
    }

    private void take(LeasedBatch batch) {
        List<HeldItem> items = books.take(batch);
        if (stopping) {
            books.finished(items, Fate.GIVE_BACK);
        } else {
            for (int i = 0; i < items.size(); i += scope.turnSize()) {
                handlers.begin(items.subList(i, Math.min(items.size(), i + scope.turnSize())));
            }
        }
    }

    private void finished(List<HeldItem> items, Ending ending, @Nullable Throwable failure) {
        Map<Fate, List<HeldItem>> byFate = new EnumMap<>(Fate.class);
        for (HeldItem item : items) {
            if (item.decision() == Decision.Settled.COMMITTED) {
                books.finishedAndSettled(item);
            } else {
                byFate.computeIfAbsent(fate(item, ending, failure), fate -> new ArrayList<>())
                        .add(item);
            }
        }
        byFate.forEach((fate, some) -> books.finished(some, fate));
    }

    /** What the handler decided; else the item is completed if it returned, and retried by the rules if it threw. */
    private Fate fate(HeldItem item, Ending ending, @Nullable Throwable failure) {
        if (ending == Ending.NOT_BEGUN) {
            return Fate.GIVE_BACK;
        }
        if (item.decision() instanceof Decision.Retry retry) {
            item.backOff(retry.delay());
        } else if (item.decision() instanceof Decision.Bury) {
            item.bury();
        } else if (ending == Ending.FAILED && failure != null) {
            scope.options().retry().delay(item.leased().attempts(), failure).ifPresentOrElse(item::backOff, item::bury);
        } else if (ending == Ending.DONE) {
            return Fate.COMPLETE;
        }
        return Fate.RETRY;
    }

    /** The queue serves nobody any more. */
    private void ended(QueueException why) {
        if (!stopping) {
            log.info("event=consumer_ended queue={} code={}", scope.queue().name(), why.code());
            stop();
        }
    }

    private void stop() {
        if (!stopping) {
            stopping = true;
            leases.stop();
            books.finished(handlers.stop(), Fate.GIVE_BACK);
            desk.after(Nanos.of(scope.options().stopTimeout()), this::hurry);
        }
    }

    private void hurry() {
        handlers.interrupt();
        giveUpSoon();
    }

    private void giveUpSoon() {
        if (!lastCall) {
            lastCall = true;
            desk.after(settleNanos, this::giveUp);
        }
    }

    private void giveUp() {
        log.warn(
                "event=consumer_gave_up queue={} running={} unsettled={}",
                scope.queue().name(),
                books.unfinished(),
                books.unsettled());
        finish();
    }

    private void finish() {
        closed.countDown();
        desk.close();
    }

    /**
     * {@inheritDoc}
     *
     * <p>An interrupt cuts the handlers' time short. Called by a handler it does not wait: it would wait for that handler.
     */
    @Override
    public void close() {
        handlers.beginNoMore();
        desk.run(this::stop);
        if (handlers.isHere() || desk.isHere()) {
            return;
        }
        boolean interrupted = false;
        while (!isClosed()) {
            try {
                closed.await();
            } catch (InterruptedException e) {
                interrupted = true;
                desk.run(this::hurry);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isClosed() {
        return closed.getCount() == 0;
    }

    @Override
    public boolean awaitClosed(Duration timeout) throws InterruptedException {
        return closed.await(Nanos.of(timeout), TimeUnit.NANOSECONDS);
    }
}
