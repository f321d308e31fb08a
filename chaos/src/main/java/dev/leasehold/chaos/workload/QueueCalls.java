package dev.leasehold.chaos.workload;

import dev.leasehold.chaos.history.Facts;
import dev.leasehold.chaos.history.ItemFacts;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.Recorder;
import dev.leasehold.chaos.history.Turn;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.When;
import dev.leasehold.queue.item.ItemId;
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
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** The verbs of queues, each call recorded. A failure is a value here: the work goes on. */
final class QueueCalls {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** What the store says after it looked, and nothing was done. */
    private static final Set<QueueErrorCode> REFUSED = EnumSet.of(
            QueueErrorCode.NO_SUCH_ITEM,
            QueueErrorCode.NOT_LEASED,
            QueueErrorCode.INVALID_ARGUMENT,
            QueueErrorCode.NO_SUCH_QUEUE,
            QueueErrorCode.DUPLICATE_CLIENT);

    private final Recorder recorder;
    private final String worker;

    QueueCalls(Recorder recorder, String worker) {
        this.recorder = recorder;
        this.worker = worker;
    }

    void produce(ItemQueue queue, List<NewItem> items) {
        Recorder.Call call = invoke(Operation.PRODUCE, queue, Facts.items(facts(items)));
        try {
            Produced produced = queue.produce(ProduceRequest.of(items).timeout(PATIENCE));
            call.ok(facts(items, produced));
        } catch (QueueException e) {
            end(call, e);
        }
    }

    /** What was leased; nothing if there was nothing, or if it failed. */
    LeasedBatch lease(ItemQueue queue, LeaseRequest request, Duration leaseTimeout) {
        Recorder.Call call = invoke(Operation.LEASE, queue, Facts.lasts(leaseTimeout));
        return answered(call, queue, () -> queue.lease(request));
    }

    /** Leases, and changes its mind after a while unless the answer is there: what is leased for it after that must go back. */
    LeasedBatch leaseOrCancel(ItemQueue queue, LeaseRequest request, Duration leaseTimeout, int patienceMillis) {
        Recorder.Call call = invoke(Operation.LEASE, queue, Facts.lasts(leaseTimeout));
        CompletableFuture<LeasedBatch> asked = queue.leaseAsync(request);
        Worker.pause(patienceMillis);
        if (asked.cancel(true)) {
            call.unknown("cancelled");
            return nothing(queue);
        }
        return answered(call, queue, asked::join);
    }

    private static LeasedBatch nothing(ItemQueue queue) {
        return new LeasedBatch(queue.name(), 0, List.of());
    }

    private static LeasedBatch answered(Recorder.Call call, ItemQueue queue, Supplier<LeasedBatch> answer) {
        try {
            LeasedBatch batch = answer.get();
            call.ok(leased(batch.partition(), batch.items()));
            return batch;
        } catch (QueueException e) {
            end(call, e);
        } catch (CompletionException e) {
            end(call, cause(e));
        }
        return nothing(queue);
    }

    private static QueueException cause(CompletionException e) {
        if (e.getCause() instanceof QueueException why) {
            return why;
        }
        throw e;
    }

    void complete(ItemQueue queue, int partition, List<LeasedItem> items) {
        call(Operation.COMPLETE, queue, leased(partition, items), () -> queue.complete(partition, ids(items)));
    }

    void giveBack(ItemQueue queue, int partition, List<LeasedItem> items) {
        call(Operation.GIVE_BACK, queue, leased(partition, items), () -> queue.giveBack(partition, ids(items)));
    }

    void extend(ItemQueue queue, int partition, List<LeasedItem> items, Duration by) {
        Facts facts = leased(partition, items).lasting(by);
        call(Operation.EXTEND_LEASE, queue, facts, () -> queue.extend(partition, ids(items), by));
    }

    void retry(ItemQueue queue, int partition, LeasedItem item, Turn turn, Duration later) {
        RetryItem how = switch (turn) {
            case NOW -> RetryItem.now(item.id());
            case LATER -> RetryItem.at(item.id(), When.after(later));
            case DEAD -> RetryItem.dead(item.id());
        };
        Facts facts = Facts.items(List.of(fact(item).turn(turn))).partition(partition);
        call(Operation.RETRY, queue, facts, () -> queue.retry(partition, List.of(how)));
    }

    Recorder.Call invoke(Operation operation, ItemQueue queue, Facts facts) {
        return recorder.invoke(worker, operation, queue.name(), facts);
    }

    private void call(Operation operation, ItemQueue queue, Facts facts, Runnable work) {
        Recorder.Call call = invoke(operation, queue, facts);
        try {
            work.run();
            call.ok();
        } catch (QueueException e) {
            end(call, e);
        }
    }

    static void end(Recorder.Call call, QueueException e) {
        if (REFUSED.contains(e.code())) {
            call.fail(e.code() + ": " + e.getMessage());
        } else {
            call.unknown(e.code() + ": " + e.getMessage());
        }
    }

    static Facts leased(int partition, List<LeasedItem> items) {
        return Facts.items(leasedFacts(items)).partition(partition);
    }

    private static List<ItemFacts> leasedFacts(List<LeasedItem> items) {
        return items.stream().map(QueueCalls::fact).toList();
    }

    private static ItemFacts fact(LeasedItem item) {
        return ItemFacts.of(item.text()).id(item.id().value()).attempts(item.attempts());
    }

    static List<ItemFacts> facts(List<NewItem> items) {
        return items.stream()
                .map(item -> ItemFacts.of(new String(item.payload(), StandardCharsets.UTF_8))
                        .turn(item.when().equals(When.now()) ? Turn.NOW : Turn.LATER))
                .toList();
    }

    static Facts facts(List<NewItem> items, Produced produced) {
        List<ItemFacts> known = new ArrayList<>();
        for (ItemFacts item : facts(items)) {
            known.add(item.id(produced.ids().get(known.size()).value()));
        }
        return Facts.items(known).partition(produced.partition());
    }

    static List<ItemId> ids(List<LeasedItem> items) {
        return items.stream().map(LeasedItem::id).toList();
    }
}
