package dev.leasehold.queue.internal.consume;

import dev.leasehold.queue.BatchHandler;
import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.internal.consume.Handlers.Ending;
import dev.leasehold.queue.internal.consume.HeldItem.Decision;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
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
 *   <li>{@link LeasePoller} leases what there is room for;
 *   <li>{@link Handlers} run the handler, as many at once as the options say;
 *   <li>{@link LeaseExtender} extends the leases meanwhile;
 *   <li>{@link SettlementLine} completes, retries or gives back, together what ends together.
 * </ol>
 *
 * <p>All of that is decided in one thread, the {@link ConsumerLoop}; {@link HeldItems} are what it writes down.
 */
public final class ConsumerRuntime implements Consumer {
    private static final Logger log = LoggerFactory.getLogger(ConsumerRuntime.class);

    /** How long the store is waited for at the end, when no handler runs any more. */
    static final Duration SETTLE_TIMEOUT = Duration.ofSeconds(5);

    private final long settleNanos;
    private final ConsumerScope scope;
    private final ConsumerLoop loop;
    private final HeldItems held;
    private final LeasePoller leases;
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
            BatchHandler<LeasedItem> handler) {
        settleNanos = settleTimeout.toNanos();
        loop = new ConsumerLoop("leasehold-consumer-" + queue.name(), this::look);
        scope = new ConsumerScope(queue, leaseTimeout, options, turnSize, loop, this::ended);
        held = new HeldItems(scope);
        leases = new LeasePoller(scope, this::take);
        handlers = new Handlers(
                scope, handler, (items, ending, failure) -> loop.run(() -> finished(items, ending, failure)));
    }

    /**
     * Begins to consume.
     *
     * @param leaseTimeout tells the lease timeout of the queue as it is now; asked often, must not block or throw
     * @param turnSize how many items the handler works on at a time, at most
     */
    public static Consumer start(
            ItemQueue queue,
            Supplier<Duration> leaseTimeout,
            ConsumeOptions options,
            int turnSize,
            BatchHandler<LeasedItem> handler) {
        return start(queue, leaseTimeout, options, turnSize, SETTLE_TIMEOUT, handler);
    }

    static Consumer start(
            ItemQueue queue,
            Supplier<Duration> leaseTimeout,
            ConsumeOptions options,
            int turnSize,
            Duration settleTimeout,
            BatchHandler<LeasedItem> handler) {
        ConsumerRuntime consumer = new ConsumerRuntime(queue, leaseTimeout, options, turnSize, settleTimeout, handler);
        consumer.loop.run(() -> {}); // what follows on any news: it looks around, and leases
        return consumer;
    }

    /** What follows on any news. */
    private void look() {
        if (!stopping) {
            leases.ask(held.room());
            return;
        }
        if (held.unfinished() == 0) {
            giveUpSoon();
        }
        if (held.unfinished() == 0 && held.unsettled() == 0 && !leases.isUnderWay()) {
            finish();
        }
    }

    private void take(LeasedBatch batch) {
        List<HeldItem> items = held.take(batch);
        if (stopping) {
            held.finished(items, Settlement.GIVE_BACK);
        } else {
            for (int i = 0; i < items.size(); i += scope.turnSize()) {
                handlers.begin(items.subList(i, Math.min(items.size(), i + scope.turnSize())));
            }
        }
    }

    private void finished(List<HeldItem> items, Ending ending, @Nullable Throwable failure) {
        Map<Settlement, List<HeldItem>> bySettlement = new EnumMap<>(Settlement.class);
        for (HeldItem item : items) {
            if (item.decision() == Decision.Settled.COMMITTED) {
                held.finishedAndSettled(item);
            } else {
                bySettlement
                        .computeIfAbsent(settlement(item, ending, failure), settlement -> new ArrayList<>())
                        .add(item);
            }
        }
        bySettlement.forEach((settlement, some) -> held.finished(some, settlement));
    }

    /** What the handler decided; else the item is completed if it returned, and retried by the rules if it threw. */
    private Settlement settlement(HeldItem item, Ending ending, @Nullable Throwable failure) {
        if (ending == Ending.NOT_BEGUN) {
            return Settlement.GIVE_BACK;
        }
        if (item.decision() instanceof Decision.Retry retry) {
            item.backOff(retry.delay());
        } else if (item.decision() instanceof Decision.Bury) {
            item.bury();
        } else if (ending == Ending.FAILED && failure != null) {
            scope.options().retry().delay(item.leased().attempts(), failure).ifPresentOrElse(item::backOff, item::bury);
        } else if (ending == Ending.DONE) {
            return Settlement.COMPLETE;
        }
        return Settlement.RETRY;
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
            held.finished(handlers.stop(), Settlement.GIVE_BACK);
            loop.after(Nanos.of(scope.options().stopTimeout()), this::hurry);
        }
    }

    private void hurry() {
        handlers.interrupt();
        giveUpSoon();
    }

    private void giveUpSoon() {
        if (!lastCall) {
            lastCall = true;
            loop.after(settleNanos, this::giveUp);
        }
    }

    private void giveUp() {
        log.warn(
                "event=consumer_gave_up queue={} running={} unsettled={}",
                scope.queue().name(),
                held.unfinished(),
                held.unsettled());
        finish();
    }

    private void finish() {
        closed.countDown();
        loop.close();
    }

    /**
     * {@inheritDoc}
     *
     * <p>An interrupt cuts the handlers' time short. Called by a handler it does not wait: it would wait for that handler.
     */
    @Override
    public void close() {
        handlers.beginNoMore();
        loop.run(this::stop);
        if (handlers.isHere() || loop.isHere()) {
            return;
        }
        boolean interrupted = false;
        while (!isClosed()) {
            try {
                closed.await();
            } catch (InterruptedException e) {
                interrupted = true;
                loop.run(this::hurry);
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
