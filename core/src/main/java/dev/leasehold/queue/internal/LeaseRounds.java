package dev.leasehold.queue.internal;

import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.spi.ItemStore;
import dev.leasehold.queue.spi.ItemStore.Leased;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.Portion;
import dev.leasehold.queue.spi.StaleQueueException;
import dev.leasehold.spi.Futures;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the rounds of a queue: one lease each, for everybody in line. */
final class LeaseRounds {
    private static final Logger log = LoggerFactory.getLogger(LeaseRounds.class);

    /** Items that were locked by somebody else may be free again after so long; nobody would tell. */
    private static final long LOCKED_NANOS = Duration.ofMillis(50).toNanos();

    private final LiveQueue queue;

    LeaseRounds(LiveQueue queue) {
        this.queue = queue;
    }

    void start(LeaseDesk.Round round, boolean inCallerThread) {
        PartitionRef ref = queue.record().partition(round.part().number);
        StoreState store = queue.storeOf(ref.number());
        ItemStore items = store.items(inCallerThread);
        CompletableFuture<Void> question = queue.questions().ask();
        queue.node().pending().begin();
        Portion portion =
                new Portion(round.limit(), queue.node().options().bounds().answerBytes());
        Futures.whenDone(store.call(() -> items.lease(ref, portion)), (leased, failure) -> {
            try {
                if (failure == null) {
                    finish(round, ref, leased);
                } else {
                    fail(round, ref, QueueAwait.failure(failure));
                }
            } catch (RuntimeException | Error e) {
                log.error("event=lease_not_dealt queue={}", queue.name(), e);
                recover(round);
            } finally {
                question.complete(null);
                queue.node().pending().end();
            }
        });
    }

    private void finish(LeaseDesk.Round round, PartitionRef ref, Leased leased) {
        Part part = round.part();
        List<LeasedItem> left;
        synchronized (
                queue) { // before anybody is answered: whoever asks again is led to the partition that is the fullest
            // now
            left = queue.desk().deal(round, leased.items());
            part.unsure = null;
            int items = leased.items().size();
            round.end();
            part.leaseEnded(items, items < round.limit() && !leased.isCut(), round.changes());
            queue.desk().comeBack(round);
        }
        left.addAll(queue.desk().answer(round));
        queue.due(part.number, leased.nextDue());
        if (!leased.items().isEmpty()) {
            queue.due(part.number, queue.record().info().config().leaseTimeout());
        }
        if (!left.isEmpty()) {
            giveBack(ref, left);
        }
        if (leased.hasSkipped()) {
            queue.node().timer().after(LOCKED_NANOS, () -> queue.hint(part.number));
        }
        queue.tellOthers(ref, Part::isLeftToBeTold);
        queue.serve(false);
    }

    /** Gives back what was leased for somebody who has gone. */
    void giveBack(LeasedBatch batch) {
        if (!batch.isEmpty()) {
            giveBack(queue.record().partition(batch.partition()), batch.items());
        }
    }

    private void giveBack(PartitionRef ref, List<LeasedItem> left) {
        StoreState store = queue.storeOf(ref.number());
        Futures.whenDone(
                store.call(() -> store.items(false)
                        .giveBack(ref, left.stream().map(LeasedItem::id).toList())),
                (done, failure) -> {
                    if (failure == null) {
                        queue.changed(ref.number(), left.size());
                    } else {
                        log.debug("event=give_back_failed queue={} items={}", queue.name(), left.size(), failure);
                    }
                });
    }

    /** Something of ours failed on the way: the partition can be leased from again, and a look says when. */
    private void recover(LeaseDesk.Round round) {
        synchronized (queue) {
            if (round.end()) {
                round.part().leaseFailed();
                queue.desk().comeBack(round);
            }
        }
        queue.look().soon();
    }

    /** Everybody goes back to the line; a look at the store says when it is worth trying again. */
    private void fail(LeaseDesk.Round round, PartitionRef ref, QueueException failure) {
        synchronized (queue) {
            round.end();
            round.part().leaseFailed();
            round.part().unsure = failure instanceof StaleQueueException ? null : failure;
            queue.desk().comeBack(round);
        }
        queue.tellOthers(ref, Part::isLeftToBeTold);
        if (failure instanceof StaleQueueException stale) {
            Futures.whenDone(queue.node().directory().refresh(stale.partition()), (live, trouble) -> {
                hintIfStill(round.part().number);
            });
        } else {
            log.debug("event=lease_failed queue={}", queue.name(), failure);
            queue.look().soon();
        }
    }

    private void hintIfStill(int partition) {
        if (queue.node().directory().all().contains(queue)) {
            queue.hint(partition);
        } else {
            queue.close();
        }
    }
}
