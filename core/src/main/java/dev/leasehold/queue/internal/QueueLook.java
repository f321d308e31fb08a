package dev.leasehold.queue.internal;

import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.spi.ItemStore.Outlook;
import dev.leasehold.queue.spi.ItemStore.Swept;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.QueueRecord;
import dev.leasehold.queue.spi.StaleQueueException;
import dev.leasehold.spi.Futures;
import dev.leasehold.spi.Nanos;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node does for a queue by itself: looks how its partitions stand, and sweeps them when something is due.
 *
 * <p>It sweeps at the time that it knows of, and looks from time to time for what it does not know: items of other nodes, and
 * what a wake-up that was lost would have told. Nodes share the work: what one has swept the other does not find.
 */
final class QueueLook {
    private static final Logger log = LoggerFactory.getLogger(QueueLook.class);
    private static final int IDLE_FACTOR = 5;

    /** A look that takes long, over what a held snapshot keeps there, is followed by a rest of so many times as long, within reason. */
    private static final int REST_FACTOR = 20;

    private static final long SOON_NANOS = Duration.ofMillis(250).toNanos();
    private static final long LISTEN_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long FAILED_SWEEP_NANOS = Duration.ofSeconds(1).toNanos();

    private final LiveQueue queue;
    private final Set<String> looking = new HashSet<>();
    private final Set<String> again = new HashSet<>();
    private long nextNanos = System.nanoTime();
    private long nextListenNanos = nextNanos;
    private long restUntilNanos = nextNanos;

    QueueLook(LiveQueue queue) {
        this.queue = queue;
    }

    /** Looks at all partitions, or once more if a look is under way. */
    void now() {
        QueueRecord record = queue.record();
        Map<String, List<PartitionRef>> byStore = new LinkedHashMap<>();
        for (int i = 0; i < record.stores().size(); i++) {
            byStore.computeIfAbsent(record.stores().get(i), store -> new ArrayList<>())
                    .add(record.partition(i));
        }
        byStore.forEach(this::look);
    }

    /** Looks before long: something failed. */
    void soon() {
        synchronized (this) {
            long soon = System.nanoTime() + SOON_NANOS;
            nextNanos = nextNanos - soon < 0 ? nextNanos : soon;
        }
    }

    /** One beat of the sweeper. */
    void beat(long now) {
        boolean look;
        synchronized (this) {
            Duration interval = queue.node().options().lookInterval();
            boolean waited = queue.desk().hasWaiters() || queue.trouble() != null;
            long most = Nanos.of(interval) * (waited ? 1 : IDLE_FACTOR);
            nextNanos = nextNanos - now > most ? now + most : nextNanos;
            look = now - nextNanos >= 0 && now - restUntilNanos >= 0;
            if (look) {
                nextNanos = now + most / 2 + ThreadLocalRandom.current().nextLong(most / 2 + 1);
            }
        }
        if (look) {
            now();
        }
        listen(now);
        for (Part part : takeDue(now)) {
            sweep(queue.record().partition(part.number));
        }
    }

    /** As long as somebody waits, what other nodes tell is to be heard. */
    private void listen(long now) {
        if (now - nextListenNanos >= 0 && queue.desk().hasWaiters()) {
            nextListenNanos = now + LISTEN_NANOS;
            Set.copyOf(queue.record().stores())
                    .forEach(store -> queue.node().store(store).items(false).listen());
        }
    }

    private List<Part> takeDue(long now) {
        List<Part> due = new ArrayList<>();
        synchronized (queue) {
            for (Part part : queue.parts()) {
                if (!part.sweeping && part.isDue(now)) {
                    part.sweeping = true;
                    part.clearDue();
                    due.add(part);
                }
            }
        }
        return due;
    }

    private void look(String storeName, List<PartitionRef> refs) {
        synchronized (this) {
            if (!looking.add(storeName)) {
                again.add(storeName);
                return;
            }
        }
        int[] changes = new int[refs.size()];
        synchronized (queue) {
            for (int i = 0; i < changes.length; i++) {
                Part part = queue.part(refs.get(i).number());
                changes[i] = part == null || part.isChanging() ? -1 : part.changes();
            }
        }
        StoreState store = queue.node().store(storeName);
        CompletableFuture<Void> ask = queue.questions().ask();
        long began = System.nanoTime();
        Futures.whenDone(store.call(() -> store.items(false).look(refs)), (outlooks, failure) -> {
            boolean repeat;
            synchronized (this) {
                restUntilNanos = failure == null ? restAfter(began, System.nanoTime()) : restUntilNanos;
                looking.remove(storeName);
                repeat = again.remove(storeName);
            }
            try {
                if (failure == null) {
                    apply(refs, outlooks, changes);
                } else {
                    unsure(refs, QueueAwait.failure(failure));
                    failed(QueueAwait.failure(failure));
                }
                if (repeat) {
                    now(); // before the answer counts as given: it may be too old for whoever asked for another
                }
            } finally {
                ask.complete(null);
            }
        });
    }

    private long restAfter(long began, long ended) {
        long most = Nanos.of(queue.node().options().lookInterval()) * IDLE_FACTOR;
        return ended + Math.min(REST_FACTOR * (ended - began), most);
    }

    private void apply(List<PartitionRef> refs, List<Outlook> outlooks, int[] changes) {
        synchronized (queue) {
            for (int i = 0; i < changes.length; i++) {
                Part part = queue.part(refs.get(i).number());
                if (part != null) {
                    part.unsure = outlooks.get(i).ready() == 0 ? null : part.unsure; // if not, a lease may still fail
                    part.setReady(outlooks.get(i).ready(), part.isChanging() ? -1 : changes[i]);
                    queue.due(part.number, outlooks.get(i).nextDue());
                }
            }
        }
        queue.serve(false);
    }

    private void unsure(List<PartitionRef> refs, QueueException failure) {
        synchronized (queue) {
            for (PartitionRef ref : refs) {
                Part part = queue.part(ref.number());
                if (part != null && !(failure instanceof StaleQueueException)) {
                    part.unsure = failure;
                }
            }
        }
    }

    private void failed(QueueException failure) {
        if (failure instanceof StaleQueueException stale) {
            Futures.logFailure(queue.node().directory().refresh(stale.partition()), log, "queue_not_read");
        } else {
            log.debug("event=look_failed queue={}", queue.name(), failure);
            soon();
        }
    }

    private void sweep(PartitionRef ref) {
        StoreState store = queue.node().store(ref.store());
        Futures.whenDone(
                queue.node()
                        .deadPartitions()
                        .of(ref)
                        .thenCompose(dead -> store.call(() -> store.items(false).sweep(ref, dead))
                                .thenAccept(swept -> swept(ref, dead, swept))),
                (done, failure) -> {
                    synchronized (queue) {
                        Part part = queue.part(ref.number());
                        if (part != null) {
                            part.sweeping = false;
                            if (failure != null) {
                                part.due(System.nanoTime() + pauseAfter(failure));
                            }
                        }
                    }
                    if (failure != null) {
                        failed(QueueAwait.failure(failure));
                    }
                });
    }

    /** A sweep that knew an old version of the queue did nothing, and is repeated as soon as the new one has been read. */
    private static long pauseAfter(Throwable failure) {
        return QueueAwait.failure(failure) instanceof StaleQueueException ? 0 : FAILED_SWEEP_NANOS;
    }

    private void swept(PartitionRef ref, @Nullable PartitionRef dead, Swept swept) {
        queue.due(ref.number(), swept.nextDue());
        queue.node().discards().add(queue.name(), swept.discarded());
        queue.madeReady(ref, swept.ready());
        if (dead != null && swept.dead() > 0) {
            queue.deadLetters(dead, swept.dead());
        }
    }
}
