package dev.leasehold.queue.internal.consume;

import dev.leasehold.queue.BatchHandler;
import dev.leasehold.queue.Work;
import dev.leasehold.queue.internal.consume.HeldItem.Decision;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.spi.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads in which a consumer's handler runs, and the items that wait for one of them. */
final class Handlers {
    private static final Logger log = LoggerFactory.getLogger(Handlers.class);
    private static final ThreadLocal<@Nullable Handlers> HERE = new ThreadLocal<>();

    private final ConsumerScope scope;
    private final BatchHandler<LeasedItem> handler;
    private final Finished finished;
    private final ThreadPoolExecutor pool;
    private volatile boolean stopping;

    /** Told in the handler's thread when a turn has ended. */
    @FunctionalInterface
    interface Finished {
        void finished(List<HeldItem> items, Ending ending, @Nullable Throwable failure);
    }

    Handlers(ConsumerScope scope, BatchHandler<LeasedItem> handler, Finished finished) {
        this.scope = scope;
        this.handler = handler;
        this.finished = finished;
        this.pool = new ThreadPoolExecutor(
                scope.options().concurrency(),
                scope.options().concurrency(),
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Timer.daemon("leasehold-consumer-" + scope.queue().name() + "-handler"));
    }

    /** Runs the handler for these items as soon as a thread is free. */
    void begin(List<HeldItem> items) {
        pool.execute(new Turn(this, items));
    }

    private void handle(List<HeldItem> items) {
        List<HeldItem> over = new ArrayList<>();
        List<HeldItem> rest = new ArrayList<>();
        items.forEach(item -> (stopping || item.isOver() ? over : rest).add(item));
        if (!over.isEmpty()) {
            finished.finished(over, Ending.NOT_BEGUN, null);
        }
        if (!rest.isEmpty()) {
            Throwable failure = run(rest);
            Ending ending = ending(failure);
            finished.finished(rest, ending, failure);
            tell(rest, ending, failure);
        }
    }

    private @Nullable Throwable run(List<HeldItem> items) {
        List<Work<LeasedItem>> works = new ArrayList<>(items.size());
        items.forEach(item -> works.add(new HeldWork(scope.queue(), item)));
        HandlerTimeout alarm = HandlerTimeout.set(scope);
        HERE.set(this);
        try {
            handler.handle(works);
            return null;
        } catch (Throwable e) {
            return alarm.hasRung() ? alarm.exception(e) : e;
        } finally {
            HERE.remove();
            alarm.cancel();
        }
    }

    private Ending ending(@Nullable Throwable failure) {
        if (failure == null) {
            return Ending.DONE;
        }
        boolean interrupt =
                failure instanceof InterruptedException || failure.getCause() instanceof InterruptedException;
        return stopping && interrupt ? Ending.INTERRUPTED : Ending.FAILED;
    }

    private void tell(List<HeldItem> items, Ending ending, @Nullable Throwable failure) {
        String queue = scope.queue().name();
        int attempts =
                items.stream().mapToInt(item -> item.leased().attempts()).max().orElse(0);
        if (ending == Ending.FAILED) {
            log.warn("event=handler_failed queue={} attempts={} items={}", queue, attempts, items.size(), failure);
        } else if (ending == Ending.INTERRUPTED) {
            log.info("event=handler_interrupted queue={} attempts={} items={}", queue, attempts, items.size());
        }
        for (HeldItem item : items) {
            if (item.decision() instanceof Decision.Bury bury) {
                log.warn(
                        "event=item_buried queue={} attempts={} reason={}",
                        queue,
                        item.leased().attempts(),
                        bury.reason());
            }
        }
    }

    /** Begins nothing more, from now on. */
    void beginNoMore() {
        stopping = true;
    }

    /** Begins nothing more, and returns what waits. */
    List<HeldItem> stop() {
        beginNoMore();
        List<Runnable> turns = new ArrayList<>();
        pool.getQueue().drainTo(turns);
        pool.shutdown();
        return turns.stream().flatMap(turn -> ((Turn) turn).items().stream()).toList();
    }

    /** Interrupts those that run. */
    void interrupt() {
        pool.shutdownNow();
    }

    /** Whether the caller is called by one of these handlers, which would wait for itself. */
    boolean isHere() {
        return HERE.get() == this;
    }

    /** How a turn ended. */
    enum Ending {
        DONE,
        FAILED,
        /** The handler was interrupted because the consumer stops. */
        INTERRUPTED,
        /** The consumer stopped just before, or the lease was lost. */
        NOT_BEGUN
    }

    private record Turn(Handlers handlers, List<HeldItem> items) implements Runnable {
        @Override
        public void run() {
            handlers.handle(items);
        }
    }
}
