package dev.leasehold.micrometer;

import dev.leasehold.GroupStatistics;
import dev.leasehold.Leasehold;
import dev.leasehold.lock.LockListener;
import dev.leasehold.lock.Locks;
import dev.leasehold.lock.spi.LockGauges;
import dev.leasehold.queue.QueueListener;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.spi.LeaseQueues;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Meters of locks and queues in a {@link MeterRegistry}.
 *
 * <pre>{@code
 * LeaseholdMetrics metrics = new LeaseholdMetrics(registry);
 * Leasehold leasehold = PostgresLeasehold.builder(dataSource)
 *         .locks(locks -> locks.options(options -> options.listener(metrics.lockListener())))
 *         .queues(queues -> queues.options(options -> options.listener(metrics.queueListener())))
 *         .build();
 * metrics.watch(leasehold);
 * }</pre>
 *
 * <p>The listeners count operations as they end. {@link #watch} adds gauges, which a thread updates every ten seconds. Their names are in
 * {@code docs/metrics.md}. The number of series is bounded: keys of locks never become tags, and names of queues only so many.
 */
public final class LeaseholdMetrics implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LeaseholdMetrics.class);
    private static final Duration UPDATE_INTERVAL = Duration.ofSeconds(10);

    private final MeterRegistry registry;
    private final List<QueueGauges> queueGauges = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(LeaseholdMetrics::thread);

    public LeaseholdMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "leasehold-metrics");
        thread.setDaemon(true);
        return thread;
    }

    /** Counts and times operations on locks. Give it to the options of locks. */
    public LockListener lockListener() {
        return new LockMeters(registry);
    }

    /** Counts and times calls, items and handlers of queues. Give it to the options of queues. */
    public QueueListener queueListener() {
        return new QueueMeters(registry);
    }

    /**
     * Adds gauges of locks and queues: held locks, waiters, queue depths, calls in flight, discarded items, and how many calls one message
     * to the database carries. They are updated every ten seconds until this is closed. Over HTTP there are gauges of locks only: the
     * server has those of queues.
     */
    public void watch(Leasehold leasehold) {
        if (leasehold.locks() instanceof LockGauges locks) {
            gauge("leasehold.lock.held", "Locks that this process holds by a handle", locks::held);
        }
        bind(leasehold.locks(), leasehold.queues());
        var unused =
                timer.scheduleWithFixedDelay(this::refreshSafely, 0, UPDATE_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Adds the gauges that a server shows. Nothing updates them but {@link #refresh}. */
    public void bind(Locks locks, Queues queues) {
        if (locks instanceof LockGauges node) {
            gauge("leasehold.lock.waiters", "Calls of this process that wait in line for a lock", node::waiting);
        }
        if (queues instanceof LeaseQueues node) {
            queueGauges.add(new QueueGauges(
                    registry, node::gauges, node::discarded, new QueueDepths(queues, System::nanoTime)));
        }
        if (locks instanceof GroupStatistics.Source source) {
            groups("locks", source);
        }
        if (queues instanceof GroupStatistics.Source source) {
            groups("queues", source);
        }
    }

    private void gauge(String name, String meaning, IntSupplier value) {
        Gauge.builder(name, value::getAsInt).description(meaning).register(registry);
    }

    private void groups(String engine, GroupStatistics.Source source) {
        counter(
                "leasehold.group.calls",
                "Calls sent to the database",
                engine,
                () -> source.statistics().calls());
        counter(
                "leasehold.group.messages",
                "Messages that carried them",
                engine,
                () -> source.statistics().messages());
    }

    /** A function counter holds its object weakly. This one is held by whoever closes it. */
    private void counter(String name, String meaning, String engine, LongSupplier value) {
        FunctionCounter.builder(name, this, here -> value.getAsLong())
                .description(meaning)
                .tag("engine", engine)
                .register(registry);
    }

    private void refreshSafely() {
        try {
            refresh();
        } catch (RuntimeException e) {
            log.debug("event=metrics_refresh_failed", e); // the next round tries again
        }
    }

    /** Updates the gauges of queues now, from what this process knows. Waits for no database. */
    public void refresh() {
        queueGauges.forEach(QueueGauges::refresh);
    }

    /** Ends the updates. The meters stay in their registry. */
    @Override
    public void close() {
        timer.shutdownNow();
    }
}
