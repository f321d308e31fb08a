package dev.leasehold.queue.internal;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.When;
import dev.leasehold.queue.admin.QueueGauge;
import dev.leasehold.queue.spi.ItemStore.Swept;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.QueueRecord;
import dev.leasehold.spi.Nanos;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A queue as this node serves it: its record, about how full its partitions are, and the line of those who want items.
 *
 * <p>What it knows of partitions only says where to look first. Its monitor guards the partitions and the line.
 */
public final class LiveQueue {
    private final QueueNode node;
    private final LeaseDesk desk = new LeaseDesk(this);
    private final QueueLook look = new QueueLook(this);
    private final List<Part> parts = new ArrayList<>();
    private final LeaseRounds rounds = new LeaseRounds(this);
    private final Questions questions = new Questions();
    private final Set<Thread> serving = ConcurrentHashMap.newKeySet();
    private volatile QueueRecord record;

    final AtomicInteger producing = new AtomicInteger();
    final AtomicInteger completing = new AtomicInteger();
    final AtomicInteger inFlight = new AtomicInteger();

    LiveQueue(QueueNode node, QueueRecord record) {
        this.node = node;
        this.record = record;
        learn(record);
    }

    QueueNode node() {
        return node;
    }

    public String name() {
        return record.name();
    }

    public QueueRecord record() {
        return record;
    }

    LeaseDesk desk() {
        return desk;
    }

    QueueLook look() {
        return look;
    }

    LeaseRounds rounds() {
        return rounds;
    }

    Questions questions() {
        return questions;
    }

    /** Takes note of a newer version of the record. */
    synchronized void learn(QueueRecord newer) {
        record = newer.version() > record.version() ? newer : record;
        while (parts.size() < record.stores().size()) {
            parts.add(new Part(parts.size()));
        }
    }

    StoreState storeOf(int partition) {
        return node.store(record.stores().get(partition));
    }

    synchronized List<Part> parts() {
        return List.copyOf(parts);
    }

    synchronized @Nullable Part part(int number) {
        return number < parts.size() ? parts.get(number) : null;
    }

    synchronized boolean hasOnePartition() {
        return parts.size() == 1;
    }

    /** Whether it belongs to that namespace; null means any. */
    boolean isIn(@Nullable String namespace) {
        return namespace == null || namespace.equals(record.info().config().namespace());
    }

    boolean hasPartition(int number) {
        return number >= 0 && number < record().stores().size();
    }

    /** Where new items go: the partition with the least in it of those that are well. */
    synchronized Part emptiest() {
        Part best = null;
        for (Part part :
                parts.subList(0, Math.min(parts.size(), record.info().config().partitions()))) {
            boolean better = best == null || part.ready() < best.ready();
            if (better && !storeOf(part.number).isFailing()) {
                best = part;
            }
        }
        if (best == null) {
            throw storeOf(0).unavailable(0);
        }
        return best;
    }

    /** The same, for an engine that produces by itself. */
    public PartitionRef leastLoaded() {
        return record.partition(emptiest().number);
    }

    /** Items that an engine produced by itself are there. */
    public void produced(PartitionRef ref, List<NewItem> items) {
        int ready =
                (int) items.stream().filter(item -> item.when() == When.now()).count();
        madeReady(ref, ready);
        if (ready < items.size()) {
            due(ref.number(), Duration.ZERO);
        }
    }

    /** Where to lease next: the partition with the most in it; a queue's only one also if it is not known to have any. */
    synchronized @Nullable Part fullest(boolean somebodyIsNew) {
        Part best = null;
        for (Part part : parts) {
            boolean free = part.hasRoomForLease() && !storeOf(part.number).isFailing();
            boolean worthIt = part.ready() > 0 || (somebodyIsNew && parts.size() == 1);
            if (free && worthIt && (best == null || part.ready() > best.ready())) {
                best = part;
            }
        }
        return best;
    }

    /** Items became ready, or went, in a partition. */
    void changed(int partition, int items) {
        synchronized (this) {
            Part part = part(partition);
            if (part != null) {
                part.add(items);
            }
        }
        if (items > 0) {
            serve(false);
        }
    }

    /**
     * A call of this node made items ready: serves who waits here, and tells the other nodes what they leave. A notification is a
     * commit of its own, and who waits here has the items before it could be heard.
     */
    void madeReady(PartitionRef ref, int items) {
        if (items > 0) {
            changed(ref.number(), items);
            tellOthers(ref, Part::isToBeTold);
        }
    }

    /** Tells the other nodes that something is ready, if that is so of the partition. */
    void tellOthers(PartitionRef ref, Predicate<Part> condition) {
        boolean tell;
        synchronized (this) {
            Part part = part(ref.number());
            tell = part != null && condition.test(part);
        }
        if (tell) {
            storeOf(ref.number()).items(false).publish(List.of(ref));
        }
    }

    /** A retry or sweep whose caller had gone has done this. */
    void done(PartitionRef ref, @Nullable PartitionRef dead, Swept swept) {
        due(ref.number(), swept.nextDue());
        madeReady(ref, swept.ready());
        if (dead != null && swept.dead() > 0) {
            deadLetters(dead, swept.dead());
        }
    }

    /** Items of this queue have become dead letters. */
    void deadLetters(PartitionRef dead, int items) {
        node.events().deadLettered(name(), items);
        node.directory().learn(dead.queue()).madeReady(dead, items);
    }

    /** Somebody says that there is something. */
    void hint(int partition) {
        synchronized (this) {
            Part part = part(partition);
            if (part != null) {
                part.hint();
            }
        }
        serve(false);
    }

    /** Something will be due in a partition. */
    synchronized void due(int partition, @Nullable Duration in) {
        Part part = part(partition);
        if (in != null && part != null) {
            part.due(System.nanoTime() + Nanos.of(in));
        }
    }

    /**
     * Starts every round that can start, and has the store asked for those who came when nothing was known. A round that ends
     * in the thread that started it does not start others in turn: the loop below does, however many there are.
     */
    void serve(boolean inCallerThread) {
        if (serving.add(Thread.currentThread())) {
            CompletableFuture<Void> started = questions.ask(); // a round that ends in here is not the last answer yet
            try {
                while (startNext(inCallerThread)) {}
            } finally {
                serving.remove(Thread.currentThread());
                started.complete(null);
            }
        }
    }

    private boolean startNext(boolean inCallerThread) {
        LeaseDesk.Round round;
        boolean ask;
        synchronized (this) {
            round = desk.nextRound();
            boolean answerIsComing = parts.stream().anyMatch(Part::isLeasing);
            ask = round == null && !answerIsComing && desk.takeUnasked();
        }
        if (ask) {
            look.now();
            return true; // it may have been answered already
        }
        if (round != null) {
            rounds.start(round, inCallerThread);
        }
        return round != null;
    }

    /** How it stands, without asking anybody. */
    QueueGauge gauge() {
        int waiting = desk.waiting();
        synchronized (this) {
            long ready = parts.stream().mapToLong(Part::ready).sum();
            String namespace = record().info().config().namespace();
            return new QueueGauge(namespace, name(), ready, waiting, inFlight.get() + waiting);
        }
    }

    /** Why somebody who waited in vain may have been told so although there was something; null if there is no reason. */
    synchronized @Nullable QueueException trouble() {
        for (Part part : parts) {
            StoreState store = storeOf(part.number);
            if (store.isFailing()) {
                return store.unavailable(part.number);
            }
            if (part.unsure != null) {
                return StoreState.unavailable(part.number, part.unsure);
            }
        }
        return null;
    }

    void close() {
        desk.close();
    }
}
