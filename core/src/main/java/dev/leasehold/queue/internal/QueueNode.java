package dev.leasehold.queue.internal;

import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueOptions;
import dev.leasehold.queue.spi.NamedStore;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.QueueRecord;
import dev.leasehold.queue.spi.QueueRecords;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the queues of one node share. */
public final class QueueNode {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final QueueRecords records;
    private final List<NamedStore> named;
    private final Map<String, StoreState> stores = new LinkedHashMap<>();
    private final QueueOptions options;
    private final Timer timer = new Timer("leasehold-queues");
    private final Pending pending = new Pending();
    private final Directory directory;
    private final Discards discards;
    private final DeadPartitions deadPartitions = new DeadPartitions(this);
    private volatile Map<String, QueueException> failingStores = Map.of();
    private volatile boolean closing;

    public QueueNode(QueueRecords records, List<NamedStore> stores, QueueOptions options) {
        this.records = records;
        this.named = List.copyOf(stores);
        this.options = options;
        this.discards = new Discards(options.listener());
        for (NamedStore store : stores) {
            if (this.stores.put(store.name(), new StoreState(store, pending, this::noteFailingStores)) != null) {
                throw new IllegalArgumentException("two stores are named '" + store.name() + "'");
            }
        }
        this.directory = new Directory(this);
        stores.forEach(store -> store.items().subscribe(directory));
        new Sweeper(this).start();
    }

    QueueRecords records() {
        return records;
    }

    /** The records, for a caller who is refused once this is closing. */
    QueueRecords openRecords() {
        if (closing) {
            throw new QueueException(QueueErrorCode.SHUTTING_DOWN, "service is shutting down");
        }
        return records;
    }

    List<NamedStore> named() {
        return named;
    }

    StoreState store(String name) {
        StoreState store = stores.get(name);
        if (store == null) {
            throw new IllegalStateException("a queue has partitions in the store '" + name
                    + "', which is not configured here; configured are " + stores.keySet());
        }
        return store;
    }

    /** The stores that did not answer their last call, and why. */
    Map<String, QueueException> failingStores() {
        return failingStores;
    }

    private synchronized void noteFailingStores() {
        Map<String, QueueException> failing = new HashMap<>();
        for (StoreState store : stores.values()) {
            QueueException failure = store.lastFailure();
            if (failure != null) {
                failing.put(store.name(), failure);
            }
        }
        failingStores = Map.copyOf(failing);
    }

    /** A queue is gone, and all that is kept for it goes too. */
    void forget(QueueRecord record) {
        discards.forget(record.name());
        for (int number = 0; number < record.stores().size(); number++) {
            PartitionRef partition = record.partition(number);
            named.stream()
                    .filter(store -> store.name().equals(partition.store()))
                    .forEach(store -> store.items().forget(partition));
        }
    }

    QueueOptions options() {
        return options;
    }

    Timer timer() {
        return timer;
    }

    public Directory directory() {
        return directory;
    }

    public Discards discards() {
        return discards;
    }

    DeadPartitions deadPartitions() {
        return deadPartitions;
    }

    Pending pending() {
        return pending;
    }

    boolean isClosing() {
        return closing;
    }

    /** Answers all waiting consumers, lets what is under way finish, then closes the stores. */
    public void close() {
        closing = true;
        directory.close();
        pending.awaitNone(CLOSE_TIMEOUT);
        discards.close();
        stores.values().forEach(StoreState::close);
        timer.close();
    }
}
