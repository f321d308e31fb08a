package dev.leasehold.queue.internal;

import dev.leasehold.queue.ItemHandler;
import dev.leasehold.spi.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads in which a consumer's handler runs, and the items that wait for one of them. */
final class Handlers {
    private static final Logger log = LoggerFactory.getLogger(Handlers.class);
    private static final ThreadLocal<@Nullable Handlers> HERE = new ThreadLocal<>();

    private final String queue;
    private final ItemHandler handler;
    private final BiConsumer<HeldItem, Ending> finished;
    private final ThreadPoolExecutor pool;
    private volatile boolean stopping;

    /** {@code finished} is told in the handler's thread. */
    Handlers(String queue, int concurrency, ItemHandler handler, BiConsumer<HeldItem, Ending> finished) {
        this.queue = queue;
        this.handler = handler;
        this.finished = finished;
        this.pool = new ThreadPoolExecutor(
                concurrency,
                concurrency,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Timer.daemon("leasehold-consumer-" + queue + "-handler"));
    }

    /** Runs the handler for an item as soon as a thread is free. */
    void begin(HeldItem item) {
        pool.execute(new Turn(this, item));
    }

    private void handle(HeldItem item) {
        if (stopping || item.isOver()) {
            finished.accept(item, Ending.NOT_BEGUN);
            return;
        }
        Throwable failure = run(item);
        Ending ending = ending(failure);
        finished.accept(item, ending);
        tell(item, ending, failure);
    }

    private @Nullable Throwable run(HeldItem item) {
        HERE.set(this);
        try {
            handler.handle(item.leased());
            return null;
        } catch (Throwable e) {
            return e;
        } finally {
            HERE.remove();
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

    private void tell(HeldItem item, Ending ending, @Nullable Throwable failure) {
        if (ending == Ending.FAILED) {
            log.warn(
                    "event=handler_failed queue={} attempts={}",
                    queue,
                    item.leased().attempts(),
                    failure);
        } else if (ending == Ending.INTERRUPTED) {
            log.info(
                    "event=handler_interrupted queue={} attempts={}",
                    queue,
                    item.leased().attempts());
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
        return turns.stream().map(turn -> ((Turn) turn).item()).toList();
    }

    /** Interrupts those that run. */
    void interrupt() {
        pool.shutdownNow();
    }

    /** Whether the caller is called by one of these handlers, which would wait for itself. */
    boolean isHere() {
        return HERE.get() == this;
    }

    /** How the turn of an item ended, and what that means for it. */
    enum Ending {
        DONE(Fate.COMPLETE),
        FAILED(Fate.RETRY),
        /** The handler was interrupted because the consumer stops. */
        INTERRUPTED(Fate.RETRY),
        /** The consumer stopped just before, or the lease was lost. */
        NOT_BEGUN(Fate.GIVE_BACK);

        final Fate fate;

        Ending(Fate fate) {
            this.fate = fate;
        }
    }

    private record Turn(Handlers handlers, HeldItem item) implements Runnable {
        @Override
        public void run() {
            handlers.handle(item);
        }
    }
}
