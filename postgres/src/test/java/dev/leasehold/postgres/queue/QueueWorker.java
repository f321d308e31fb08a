package dev.leasehold.postgres.queue;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.When;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.ProduceRequest;
import dev.leasehold.queue.item.RetryItem;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.process.ChildJvm;
import dev.leasehold.testkit.process.ChildJvm.Program;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A node in another JVM, made to be killed: {@code java ... QueueWorker <schema> <name>}.
 *
 * <p>A thread for every verb works in the queue of that verb for ever: it produces a few items, leases as many, and does to them
 * what the verb says. It prints a {@link KillLine} before each call and another when the call is acknowledged.
 */
final class QueueWorker {
    static final Duration LEASE = Duration.ofMillis(500);

    private static final PrintStream OUT =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    private static final int BATCH = 3;
    private static final Duration SHORT_LEASE = Duration.ofMillis(150);
    private static final Duration LATER = Duration.ofMillis(150);

    /** What is done in the queue of that name when the kill comes. */
    enum Verb {
        PRODUCE,
        LEASE,
        COMPLETE,
        RETRY_NOW,
        RETRY_LATER,
        RETRY_DEAD,
        EXTEND,
        SWEEP_LEASES,
        SWEEP_SCHEDULED;

        /** The verb's queue. Leases there end soon; where items die there is a dead queue. */
        QueueConfig config() {
            QueueConfig config = QueueConfig.named(name()).leaseTimeout(QueueWorker.LEASE);
            return switch (this) {
                case RETRY_DEAD -> config.deadQueue(dead());
                case SWEEP_LEASES ->
                    config.leaseTimeout(SHORT_LEASE).maxAttempts(2).deadQueue(dead());
                default -> config;
            };
        }

        String dead() {
            return name() + "-dead";
        }
    }

    private final PostgresQueues queues;
    private final String name;
    private final Verb verb;
    private final ItemQueue queue;
    private int made;

    private QueueWorker(PostgresQueues queues, String name, Verb verb) {
        this.queues = queues;
        this.name = name;
        this.verb = verb;
        this.queue = queues.queue(verb.name());
    }

    public static void main(String[] args) {
        PGSimpleDataSource dataSource = TestPostgres.dataSource();
        dataSource.setCurrentSchema(args[0]);
        PostgresQueues queues = PostgresQueues.builder(dataSource)
                .timeout(Duration.ofMinutes(1))
                .build();
        for (Verb verb : Verb.values()) {
            QueueWorker worker = new QueueWorker(queues, args[1], verb);
            new Thread(worker::workForEver, verb.name()).start();
        }
    }

    /** Starts another JVM with this class. */
    static ChildJvm inAnotherJvm(PGSimpleDataSource dataSource, String name) {
        return ChildJvm.start(Program.of(QueueWorker.class, String.valueOf(dataSource.getCurrentSchema()), name)
                .environment(TestPostgres.environment()));
    }

    private void workForEver() {
        try {
            while (true) {
                turn();
            }
        } catch (RuntimeException e) {
            OUT.println(KillLine.failed(verb, e));
            queues.close();
        }
    }

    private void turn() {
        produce(verb == Verb.SWEEP_SCHEDULED ? When.after(LATER) : When.now());
        if (verb == Verb.PRODUCE) {
            return;
        }
        LeasedBatch batch = lease();
        if (batch.isEmpty()) {
            return;
        }
        switch (verb) {
            case COMPLETE, SWEEP_SCHEDULED -> complete(batch);
            case RETRY_NOW -> retry(batch, RetryItem::now);
            case RETRY_LATER -> retry(batch, id -> RetryItem.at(id, When.after(LATER)));
            case RETRY_DEAD -> retry(batch, RetryItem::dead);
            case EXTEND -> extend(batch);
            default -> {} // the lease is left to end
        }
    }

    private void produce(When when) {
        List<String> texts =
                IntStream.range(0, BATCH).mapToObj(i -> name + "/" + made++).toList();
        List<NewItem> items =
                texts.stream().map(text -> NewItem.of(text).when(when)).toList();
        call("produce", texts, () -> queue.produce(ProduceRequest.of(items)));
    }

    private LeasedBatch lease() {
        long began = System.nanoTime();
        OUT.println(KillLine.begun(verb, "lease", began, List.of()));
        LeaseRequest request = LeaseRequest.of(name, BATCH).timeout(Duration.ofMillis(100));
        LeasedBatch batch = queue.lease(request);
        OUT.println(KillLine.done(verb, "lease", began, texts(batch)));
        return batch;
    }

    private void complete(LeasedBatch batch) {
        call("complete", texts(batch), () -> queue.complete(batch));
    }

    private void retry(LeasedBatch batch, Function<ItemId, RetryItem> fate) {
        call(
                "retry",
                texts(batch),
                () -> queue.retry(
                        batch.partition(), batch.ids().stream().map(fate).toList()));
    }

    private void extend(LeasedBatch batch) {
        for (int i = 0; i < BATCH; i++) {
            call("extend", texts(batch), () -> queue.extend(batch.partition(), batch.ids(), LEASE));
        }
        complete(batch);
    }

    private void call(String call, List<String> texts, Runnable work) {
        long began = System.nanoTime();
        OUT.println(KillLine.begun(verb, call, began, texts));
        try {
            work.run();
            OUT.println(KillLine.done(verb, call, began, texts));
        } catch (QueueException e) {
            boolean leaseIsOver = e.code() == QueueErrorCode.NO_SUCH_ITEM || e.code() == QueueErrorCode.NOT_LEASED;
            if (!leaseIsOver) {
                throw e;
            }
            OUT.println(KillLine.refused(verb, call, began, texts)); // a machine too busy for the lease
        }
    }

    private static List<String> texts(LeasedBatch batch) {
        return batch.items().stream().map(LeasedItem::text).toList();
    }
}
