package dev.leasehold.queue.internal;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.When;
import dev.leasehold.queue.admin.QueueGauge;
import dev.leasehold.queue.internal.dispatch.Command;
import dev.leasehold.queue.internal.dispatch.Dispatcher;
import dev.leasehold.queue.internal.dispatch.LeaseRound;
import dev.leasehold.queue.internal.dispatch.Look;
import dev.leasehold.queue.internal.dispatch.WaitingConsumer;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.spi.ItemStore;
import dev.leasehold.queue.spi.ItemStore.Leased;
import dev.leasehold.queue.spi.ItemStore.Outlook;
import dev.leasehold.queue.spi.ItemStore.Swept;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.Portion;
import dev.leasehold.queue.spi.QueueRecord;
import dev.leasehold.spi.Futures;
import dev.leasehold.spi.Nanos;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue as this node serves it: the {@link Dispatcher}, and the I/O around it.
 *
 * <p>The monitor guards the dispatcher, and nothing else is done under it. Commands are run afterwards in the thread that brought the
 * event. An event that a command causes in the same thread adds its commands to those that are being run, so that a store that answers
 * at once leads to no recursion.
 */
public final class LocalQueue {
    private static final Logger log = LoggerFactory.getLogger(LocalQueue.class);

    private final QueueNode node;
    private final Dispatcher dispatcher;
    private final Map<Thread, Outbox> running = new ConcurrentHashMap<>();
    private volatile QueueRecord record;

    final AtomicInteger producing = new AtomicInteger();
    final AtomicInteger completing = new AtomicInteger();
    final AtomicInteger inFlight = new AtomicInteger();

    LocalQueue(QueueNode node, QueueRecord record) {
        this.node = node;
        this.record = record;
        this.dispatcher = new Dispatcher(
                record,
                node.options().lookInterval(),
                most -> ThreadLocalRandom.current().nextLong(most + 1),
                System.nanoTime());
    }

    public String name() {
        return record.name();
    }

    public QueueRecord record() {
        return record;
    }

    /** Whether it belongs to that namespace; null means any. */
    boolean isIn(@Nullable String namespace) {
        return namespace == null || namespace.equals(record.info().config().namespace());
    }

    boolean hasPartition(int number) {
        return number >= 0 && number < record.stores().size();
    }

    StoreState storeOf(int partition) {
        return node.store(record.stores().get(partition));
    }

    // Events

    /** Puts a request in line; its future completes when it is answered. */
    void join(LeaseCall call, boolean inCallerThread) {
        Futures.whenDone(call.result(), (batch, failure) -> ended(call));
        handle(inCallerThread, dispatcher -> dispatcher.join(call));
    }

    private void ended(LeaseCall call) {
        call.cancelTimeout();
        if (!call.isAnswered()) {
            handle(dispatcher -> dispatcher.cancelled(call));
        }
    }

    /** A newer version of the record may have been read. */
    void learn(QueueRecord newer) {
        handle(dispatcher -> {
            dispatcher.learn(newer);
            record = dispatcher.record();
        });
    }

    /** Where new items go, for an engine that produces by itself. */
    public PartitionRef leastLoaded() {
        synchronized (this) {
            dispatcher.storesFailing(node.failingStores());
            return record.partition(dispatcher.emptiest());
        }
    }

    /** A produce begins; returns its partition. */
    int produceBegins(List<NewItem> items) {
        synchronized (this) {
            dispatcher.storesFailing(node.failingStores());
            return dispatcher.produceBegins(ready(items));
        }
    }

    /** A produce has ended, well or not. */
    void produceEnded(int partition, List<NewItem> items, boolean isStored) {
        handle(dispatcher -> {
            dispatcher.produceEnded(partition, ready(items));
            if (isStored) {
                produced(dispatcher, partition, items);
            }
        });
    }

    /** Items that an engine produced by itself are there. */
    public void produced(PartitionRef ref, List<NewItem> items) {
        handle(dispatcher -> produced(dispatcher, ref.number(), items));
    }

    private static void produced(Dispatcher dispatcher, int partition, List<NewItem> items) {
        int ready = ready(items);
        dispatcher.ready(partition, ready);
        if (ready < items.size()) {
            dispatcher.due(partition, Duration.ZERO, System.nanoTime());
        }
    }

    private static int ready(List<NewItem> items) {
        int ready = 0;
        for (NewItem item : items) {
            ready += item.when() == When.now() ? 1 : 0;
        }
        return ready;
    }

    /** A call has made items ready, or dead letters, and something more will be due. */
    void changed(
            PartitionRef ref, int ready, @Nullable Duration nextDue, @Nullable PartitionRef dead, int deadLetters) {
        handle(dispatcher -> {
            dispatcher.due(ref.number(), nextDue, System.nanoTime());
            dispatcher.ready(ref.number(), ready);
        });
        if (dead != null && deadLetters > 0) {
            node.directory().learn(dead.queue()).changed(dead, deadLetters, null, null, 0);
        }
    }

    /** Another node says that something is ready. */
    void hint(int partition) {
        handle(dispatcher -> dispatcher.hint(partition));
    }

    /** Asks the stores what there is. */
    void look() {
        handle(Dispatcher::look);
    }

    void beat(long now) {
        handle(dispatcher -> dispatcher.beat(now));
    }

    void close() {
        handle(Dispatcher::close);
    }

    // State

    synchronized boolean hasConsumers() {
        return dispatcher.hasConsumers();
    }

    /** How many wait, without those for whom the store has not answered yet. */
    synchronized int waiting() {
        return dispatcher.waiting();
    }

    /** Its numbers as this node knows them, without asking a store. */
    synchronized QueueGauge gauge() {
        int waiting = dispatcher.waiting();
        String namespace = record.info().config().namespace();
        return new QueueGauge(namespace, name(), dispatcher.readyItems(), waiting, inFlight.get() + waiting);
    }

    // Commands

    private void handle(Consumer<Dispatcher> event) {
        handle(false, event);
    }

    private void handle(boolean inCallerThread, Consumer<Dispatcher> event) {
        Outbox outer = running.get(Thread.currentThread());
        Outbox outbox;
        synchronized (this) {
            dispatcher.storesFailing(node.failingStores());
            event.accept(dispatcher);
            if (!dispatcher.hasCommands()) {
                return;
            }
            outbox = outer == null ? new Outbox(inCallerThread) : outer;
            dispatcher.moveCommandsTo(outbox.commands);
        }
        if (outer == null) {
            run(outbox);
        }
    }

    private void run(Outbox outbox) {
        running.put(Thread.currentThread(), outbox);
        node.pending().begin();
        try {
            for (Command next = outbox.commands.poll(); next != null; next = outbox.commands.poll()) {
                run(next, outbox);
            }
        } finally {
            node.pending().end();
            running.remove(Thread.currentThread());
        }
    }

    private void run(Command command, Outbox outbox) {
        try {
            command.run(outbox);
        } catch (RuntimeException | Error e) {
            log.error("event=command_failed queue={}", name(), e);
        }
    }

    /** Calls a store; what the call or the store throws is a failure too. */
    private <T> void call(
            String store,
            boolean inCallerThread,
            Function<ItemStore, CompletableFuture<T>> call,
            BiConsumer<@Nullable T, @Nullable QueueException> then) {
        StoreState state;
        try {
            state = node.store(store);
        } catch (RuntimeException e) {
            then.accept(null, QueueAwait.failure(e));
            return;
        }
        state.call(() -> call.apply(state.items(inCallerThread)), then);
    }

    /** The commands that a thread runs for this queue. */
    private final class Outbox implements Command.Actions {
        private final Deque<Command> commands = new ArrayDeque<>();

        /** Whether the thread blocks for the answer, so that stores may do the work in it. */
        private final boolean inCallerThread;

        Outbox(boolean inCallerThread) {
            this.inCallerThread = inCallerThread;
        }

        @Override
        public void lease(LeaseRound round) {
            Portion portion = new Portion(round.limit(), node.options().bounds().answerBytes());
            call(
                    round.ref().store(),
                    inCallerThread,
                    store -> store.lease(round.ref(), portion),
                    (leased, failure) -> leaseAnswered(round, leased, failure));
        }

        @Override
        public void look(Look look) {
            long began = System.nanoTime();
            call(
                    look.store(),
                    false,
                    store -> store.look(look.partitions()),
                    (outlooks, failure) -> lookAnswered(look, System.nanoTime() - began, outlooks, failure));
        }

        @Override
        public void sweep(PartitionRef ref) {
            Futures.whenDone(QueueAwait.guarded(() -> node.deadPartitions().of(ref)), (dead, failure) -> {
                if (failure != null) {
                    sweepFailed(ref, QueueAwait.failure(failure));
                } else {
                    call(ref.store(), false, store -> store.sweep(ref, dead), (swept, why) -> {
                        if (swept != null) {
                            swept(ref, dead, swept);
                        } else if (why != null) {
                            sweepFailed(ref, why);
                        }
                    });
                }
            });
        }

        @Override
        public void refresh(PartitionRef stale, long question) {
            Futures.whenDone(QueueAwait.guarded(() -> node.directory().refresh(stale)), (current, failure) -> {
                QueueException known = failure == null ? null : QueueAwait.failure(failure);
                if (node.directory().isServed(LocalQueue.this)) {
                    handle(dispatcher -> dispatcher.refreshEnded(stale, question, known, System.nanoTime()));
                } else {
                    close();
                }
            });
        }

        @Override
        public void answer(WaitingConsumer consumer, LeasedBatch batch) {
            if (!((LeaseCall) consumer).answer(batch) && !batch.isEmpty()) {
                handle(dispatcher -> dispatcher.refused(batch.partition(), batch.items()));
            }
        }

        @Override
        public void fail(WaitingConsumer consumer, QueueException failure) {
            ((LeaseCall) consumer).fail(failure);
        }

        @Override
        public void giveBack(PartitionRef ref, List<LeasedItem> items) {
            call(
                    ref.store(),
                    false,
                    store -> store.giveBack(
                            ref, items.stream().map(LeasedItem::id).toList()),
                    (done, failure) -> {
                        if (failure == null) {
                            handle(dispatcher -> dispatcher.givenBack(ref.number(), items.size()));
                        } else {
                            log.debug("event=give_back_failed queue={} items={}", name(), items.size(), failure);
                        }
                    });
        }

        @Override
        public void publish(PartitionRef ref) {
            node.store(ref.store()).items(false).publish(List.of(ref));
        }

        @Override
        public void listen(Set<String> stores) {
            stores.forEach(store -> node.store(store).items(false).listen());
        }

        @Override
        public void startTimeout(WaitingConsumer consumer) {
            long nanos = Nanos.of(consumer.request().timeout());
            ((LeaseCall) consumer)
                    .timeout(node.timer().schedule(nanos, () -> handle(dispatcher -> dispatcher.timeIsOver(consumer))));
        }

        @Override
        public void hintLater(int partition, long nanos) {
            node.timer().after(nanos, () -> hint(partition));
        }
    }

    private void leaseAnswered(LeaseRound round, @Nullable Leased leased, @Nullable QueueException failure) {
        long now = System.nanoTime();
        try {
            if (leased != null) {
                handle(dispatcher -> dispatcher.leaseEnded(round, leased, now));
            } else if (failure != null) {
                log.debug("event=lease_failed queue={}", name(), failure);
                handle(dispatcher -> dispatcher.leaseFailed(round, failure, now));
            }
        } catch (RuntimeException | Error e) {
            log.error("event=lease_not_dealt queue={}", name(), e);
            handle(dispatcher -> dispatcher.leaseAborted(round, now));
        }
    }

    private void lookAnswered(
            Look look, long tookNanos, @Nullable List<Outlook> outlooks, @Nullable QueueException failure) {
        long now = System.nanoTime();
        QueueException why = failure;
        try {
            if (outlooks != null) {
                handle(dispatcher -> dispatcher.lookEnded(look, outlooks, tookNanos, now));
            }
        } catch (RuntimeException | Error e) {
            why = QueueAwait.failure(e);
        }
        if (why != null) {
            QueueException known = why;
            log.debug("event=look_failed queue={}", name(), known);
            handle(dispatcher -> dispatcher.lookFailed(look, known, now));
        }
    }

    private void swept(PartitionRef ref, @Nullable PartitionRef dead, Swept swept) {
        node.discards().add(name(), swept.discarded());
        handle(dispatcher -> dispatcher.sweepEnded(ref.number(), swept, System.nanoTime()));
        changed(ref, swept.ready(), null, dead, swept.dead());
    }

    private void sweepFailed(PartitionRef ref, QueueException failure) {
        log.debug("event=sweep_failed queue={}", name(), failure);
        handle(dispatcher -> dispatcher.sweepFailed(ref.number(), failure, System.nanoTime()));
    }
}
