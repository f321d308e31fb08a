package dev.leasehold.bench.queue;

import dev.leasehold.bench.Contender;
import dev.leasehold.bench.Versions;
import dev.leasehold.postgres.queue.PostgresQueues;
import dev.leasehold.postgres.queue.QueueSchema;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.When;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.ProduceRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Leasehold, as a library or through its client: threads that lease a batch and complete it. */
final class LeaseholdQueuer implements Queuer {
    static final String QUEUE = "bench";
    static final int WORKERS = 4;
    private static final AtomicInteger CLIENTS = new AtomicInteger();
    private static final Duration WAIT = Duration.ofSeconds(1);

    private final Queues queues;
    private final ItemQueue queue;
    private final Runnable closer;
    private @Nullable Loops loops;

    /** @param closer closes the queues, and what is behind them */
    LeaseholdQueuer(Queues queues, Runnable closer) {
        this.queues = queues;
        this.queue = queues.queue(QUEUE);
        this.closer = closer;
    }

    static QueueSystem library() {
        return system(
                Contender.LEASEHOLD,
                "as it comes: 4 of 8 connections for statements; " + WORKERS + " threads lease and complete",
                builder -> builder);
    }

    static QueueSystem ungrouped() {
        return system(
                "leasehold-ungrouped",
                "for reference: withoutGroupCommit(), connections(5)",
                builder -> builder.withoutGroupCommit().connections(5));
    }

    private static QueueSystem system(String name, String settings, UnaryOperator<PostgresQueues.Builder> change) {
        return new QueueSystem(name, Versions.of("leasehold"), settings, place -> {
            PostgresQueues queues = open(place, change);
            return new LeaseholdQueuer(queues, queues::close);
        });
    }

    /** A node at a place, with the queue there. */
    static PostgresQueues open(Place place, UnaryOperator<PostgresQueues.Builder> change) {
        DataSource pool = place.pool();
        QueueSchema.create(pool);
        PostgresQueues queues = change.apply(PostgresQueues.builder(pool)).build();
        create(queues, place.partitions());
        return queues;
    }

    private static void create(Queues queues, int partitions) {
        try {
            queues.create(QueueConfig.named(QUEUE).partitions(partitions));
        } catch (QueueException e) {
            if (e.code() != QueueErrorCode.ALREADY_EXISTS) {
                throw e;
            }
        }
    }

    @Override
    public void produce(List<byte[]> payloads) {
        queue.produce(ProduceRequest.of(payloads.stream().map(NewItem::of).toList()));
    }

    @Override
    public void produceLater(List<byte[]> payloads, Duration delay) {
        When later = When.after(delay);
        queue.produce(ProduceRequest.of(payloads.stream()
                .map(payload -> NewItem.of(payload).when(later))
                .toList()));
    }

    @Override
    public void work(Hands hands, int batch) {
        Loops started = new Loops();
        for (int i = 0; i < WORKERS; i++) {
            LeaseRequest request = LeaseRequest.of("worker-" + CLIENTS.incrementAndGet(), batch)
                    .timeout(WAIT);
            started.start("bench-lease-" + i, hands, () -> leaseAndComplete(request, hands));
        }
        loops = started;
    }

    private void leaseAndComplete(LeaseRequest request, Hands hands) {
        LeasedBatch leased = queue.lease(request);
        if (leased.isEmpty()) {
            return;
        }
        List<byte[]> payloads = leased.items().stream().map(LeasedItem::payload).toList();
        payloads.forEach(hands::took);
        queue.complete(leased);
        hands.done(payloads);
    }

    @Override
    public void stop() {
        if (loops != null) {
            loops.stop();
            loops = null;
        }
    }

    @Override
    public void close() {
        queues.close();
        closer.run();
    }
}
