package dev.leasehold.memory;

import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.admin.QueueBounds;
import dev.leasehold.queue.admin.QueueListing;
import dev.leasehold.queue.spi.Portion;
import dev.leasehold.queue.spi.QueueRecord;
import dev.leasehold.queue.spi.QueueRecords;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** The queues of a {@link MemoryQueueStore} by name. */
final class MemoryQueueRecords implements QueueRecords {
    private static final long KSUID_EPOCH = 1_400_000_000;
    private static final Comparator<String> BY_BYTES =
            Comparator.comparing((String name) -> name.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    private final MemoryQueueStore store;
    private final Map<String, StoredQueue> queues;
    private int lastUid = ThreadLocalRandom.current().nextInt();
    private long lastVersion;

    MemoryQueueRecords(MemoryQueueStore store, Map<String, StoredQueue> queues) {
        this.store = store;
        this.queues = queues;
    }

    @Override
    public CompletableFuture<Optional<QueueRecord>> create(QueueConfig config, List<String> stores) {
        return store.call(() -> {
            if (queues.containsKey(config.name()) || !hasFittingDeadQueue(config)) {
                return Optional.empty();
            }
            Instant now = store.now();
            QueueInfo info = new QueueInfo(config, now, now);
            QueueRecord record = new QueueRecord(info, newUid(now), ++lastVersion, stores);
            queues.put(config.name(), StoredQueue.of(record));
            return Optional.of(record);
        });
    }

    /** Positive, grows with time, and differs from all others of this store because its low half counts on from a random start. */
    private long newUid(Instant now) {
        long seconds = (now.getEpochSecond() - KSUID_EPOCH) & Integer.MAX_VALUE;
        return seconds << 32 | Integer.toUnsignedLong(++lastUid);
    }

    @Override
    public CompletableFuture<Optional<QueueRecord>> get(String name) {
        return store.call(() -> Optional.ofNullable(queues.get(name)).map(StoredQueue::record));
    }

    @Override
    public CompletableFuture<List<QueueRecord>> list(QueueListing listing) {
        return store.call(() -> {
            Stream<QueueRecord> found = sorted().filter(
                            record -> record.info().config().namespace().equals(listing.namespace()))
                    .filter(record -> BY_BYTES.compare(record.name(), listing.pivot()) >= 0);
            Portion page = new Portion(listing.limit(), QueueBounds.DEFAULT.answerBytes());
            return page.cut(found.iterator(), QueueRecord::weight, 2);
        });
    }

    @Override
    public CompletableFuture<List<QueueRecord>> all(String after, int limit) {
        return store.call(() -> sorted().filter(record -> BY_BYTES.compare(record.name(), after) > 0)
                .limit(limit)
                .toList());
    }

    private Stream<QueueRecord> sorted() {
        return queues.values().stream()
                .map(StoredQueue::record)
                .sorted(Comparator.comparing(QueueRecord::name, BY_BYTES));
    }

    @Override
    public CompletableFuture<Optional<QueueRecord>> update(
            QueueRecord current, QueueConfig config, List<String> stores) {
        return store.call(() -> {
            StoredQueue queue = queues.get(current.name());
            if (queue == null || !queue.isAsKnownTo(current) || !hasFittingDeadQueue(config)) {
                return Optional.empty();
            }
            QueueInfo info = new QueueInfo(config, queue.record().info().createdAt(), store.now());
            QueueRecord next = new QueueRecord(info, current.uid(), ++lastVersion, stores);
            queues.put(current.name(), queue.with(next));
            return Optional.of(next);
        });
    }

    @Override
    public CompletableFuture<Boolean> delete(String name) {
        return store.call(() -> !isDeadQueue(name) && queues.remove(name) != null);
    }

    private boolean hasFittingDeadQueue(QueueConfig config) {
        StoredQueue dead = queues.get(config.deadQueue());
        return !config.hasDeadQueue()
                || (dead != null && fits(config, dead.record().info().config()));
    }

    private boolean fits(QueueConfig config, QueueConfig dead) {
        return dead.namespace().equals(config.namespace()) && !dead.hasDeadQueue() && !isDeadQueue(config.name());
    }

    private boolean isDeadQueue(String name) {
        return sorted().anyMatch(record -> record.info().config().deadQueue().equals(name));
    }
}
