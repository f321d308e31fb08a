package dev.leasehold.chaos.broken;

import dev.leasehold.chaos.history.Facts;
import dev.leasehold.chaos.history.ItemFacts;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.QueueFacts;
import dev.leasehold.chaos.history.Recorder;
import dev.leasehold.chaos.history.Turn;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.ProduceRequest;
import dev.leasehold.queue.item.Produced;
import dev.leasehold.queue.item.RetryItem;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** What workers do with one queue and its dead queue, recorded. */
final class QueueWorkers {
    private static final String QUEUE = "work";
    private static final String DEAD = "work-dead";
    private static final Duration LEASE = Duration.ofMillis(900);
    private static final int MAX_ATTEMPTS = 3;

    private final Bench bench;
    private final AtomicInteger numbers = new AtomicInteger();

    QueueWorkers(Bench bench) {
        this.bench = bench;
    }

    void create(Queues queues) {
        queues.create(QueueConfig.named(DEAD));
        QueueConfig config = QueueConfig.named(QUEUE)
                .leaseTimeout(LEASE)
                .maxAttempts(MAX_ATTEMPTS)
                .deadQueue(DEAD);
        queues.create(config);
        QueueFacts facts =
                new QueueFacts(MAX_ATTEMPTS, DEAD, config.expireTimeout().toNanos());
        bench.recorder("setup")
                .invoke("setup", Operation.CREATE_QUEUE, QUEUE, Facts.NONE)
                .ok(Facts.queue(facts));
    }

    /** Pauses up to that long, and produces some items. */
    void produces(String node, Queues queues, int pauseMs) {
        Recorder recorder = bench.recorder(node);
        ItemQueue queue = queues.queue(QUEUE);
        bench.add(random -> {
            Thread.sleep(1 + random.nextInt(pauseMs));
            List<String> payloads = Stream.generate(() -> "item" + numbers.incrementAndGet())
                    .limit(1 + random.nextInt(3))
                    .toList();
            List<ItemFacts> items = payloads.stream().map(ItemFacts::of).toList();
            Recorder.Call call = recorder.invoke(node, Operation.PRODUCE, QUEUE, Facts.items(items));
            Produced produced = queue.produce(
                    ProduceRequest.of(payloads.stream().map(NewItem::of).toList()));
            call.ok(Facts.NONE.partition(produced.partition()));
        });
    }

    /** Leases, waiting that long, and then does what a consumer can do, or what a careless one would. */
    void consumes(String node, Queues queues, Duration wait) {
        Recorder recorder = bench.recorder(node);
        ItemQueue queue = queues.queue(QUEUE);
        bench.add(random -> {
            Recorder.Call call = recorder.invoke(node, Operation.LEASE, QUEUE, Facts.lasts(LEASE));
            LeasedBatch batch =
                    queue.lease(LeaseRequest.of(node, 1 + random.nextInt(3)).timeout(wait));
            call.ok(Facts.items(batch.items().stream().map(QueueWorkers::facts).toList())
                    .partition(batch.partition()));
            for (LeasedItem item : batch.items()) {
                settle(new Desk(recorder, node, queue, batch.partition(), item), random);
            }
        });
    }

    private static void settle(Desk desk, Random random) throws InterruptedException {
        switch (random.nextInt(9)) {
            case 0 -> desk.retry(false);
            case 1 -> desk.retry(true);
            case 2 -> desk.giveBack();
            case 3 -> {
                desk.giveBack();
                desk.complete();
                desk.giveBack();
            }
            case 4 -> {
                desk.giveBack();
                Thread.sleep(random.nextInt(100));
                desk.giveBack(); // as after an answer that was lost
            }
            case 5, 6 -> {
                Thread.sleep(LEASE.toMillis() * 3 / 2);
                desk.complete();
            }
            default -> desk.complete();
        }
    }

    static ItemFacts facts(LeasedItem item) {
        return new ItemFacts(item.text(), item.id().toString(), item.attempts(), Turn.NOW);
    }

    /** Looks at what is left when the workers have stopped. */
    void looksAtTheEnd(Queues queues) {
        bench.afterwards(() -> {
            Recorder recorder = bench.recorder("look" + numbers.incrementAndGet());
            for (String name : List.of(QUEUE, DEAD)) {
                Recorder.Call call = recorder.invoke("look", Operation.LEFT, name, Facts.NONE);
                call.ok(Facts.items(left(queues.queue(name))));
            }
        });
    }

    private static List<ItemFacts> left(ItemQueue queue) {
        List<StoredItem> all =
                new ArrayList<>(queue.admin().list(ItemListing.of(0).limit(100_000)));
        all.addAll(queue.admin().listScheduled(ItemListing.of(0).limit(100_000)));
        return all.stream()
                .map(item -> new ItemFacts(
                        new String(item.payload(), StandardCharsets.UTF_8),
                        String.valueOf(item.id()),
                        item.attempts(),
                        Turn.NOW))
                .toList();
    }

    /** One leased item, and what can be done with it. */
    private record Desk(Recorder recorder, String node, ItemQueue queue, int partition, LeasedItem item) {
        void complete() {
            record(Operation.COMPLETE, Turn.NOW, () -> queue.complete(partition, List.of(item.id())));
        }

        void giveBack() {
            record(Operation.GIVE_BACK, Turn.NOW, () -> queue.giveBack(partition, List.of(item.id())));
        }

        void retry(boolean dead) {
            RetryItem retry = dead ? RetryItem.dead(item.id()) : RetryItem.now(item.id());
            record(Operation.RETRY, dead ? Turn.DEAD : Turn.NOW, () -> queue.retry(partition, List.of(retry)));
        }

        private void record(Operation operation, Turn turn, Runnable action) {
            Facts facts = Facts.items(List.of(facts(item).turn(turn))).partition(partition);
            Recorder.Call call = recorder.invoke(node, operation, QUEUE, facts);
            try {
                action.run();
                call.ok();
            } catch (QueueException e) {
                switch (e.code()) {
                    case NO_SUCH_ITEM, NOT_LEASED -> call.fail(e.code().name());
                    default -> call.unknown(e.code().name());
                }
            }
        }
    }
}
