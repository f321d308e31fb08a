package dev.leasehold.queue.internal;

import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.spi.Futures;
import dev.leasehold.spi.Nanos;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The line of those who want items of one queue.
 *
 * <ol>
 *   <li>A request joins the line. If a partition is known to have something, a round starts there at once: the fullest first.
 *   <li>A round takes everybody in line along, as far as one lease can serve them, and leases for all of them in one call.
 *   <li>What it brings is dealt one by one in the order of the line. Who got something is answered; who got nothing is at the
 *       front of the line again.
 *   <li>Nobody is told that there is nothing before the store was asked, and before the request's time is over.
 * </ol>
 *
 * The monitor of the queue guards the line. It is never held during I/O or while answering.
 */
final class LeaseDesk {
    static final int MOST_PER_ROUND = 1000;

    private final LiveQueue queue;
    private final Deque<Waiter> line = new ArrayDeque<>();
    private final Map<String, Waiter> present = new HashMap<>();
    private boolean closed;

    LeaseDesk(LiveQueue queue) {
        this.queue = queue;
    }

    /** A lease by one partition for everybody who came along. */
    record Round(Part part, int changes, List<Waiter> who, int limit, AtomicBoolean ended) {
        Round(Part part, int changes, List<Waiter> who, int limit) {
            this(part, changes, who, limit, new AtomicBoolean());
        }

        /** Its lease does not count as under way any more; false if that was so already. */
        boolean end() {
            return ended.compareAndSet(false, true);
        }
    }

    CompletableFuture<LeasedBatch> join(LeaseRequest request, boolean inCallerThread) {
        Waiter waiter = new Waiter(request);
        synchronized (queue) {
            if (closed) {
                return CompletableFuture.failedFuture(QueueException.shuttingDown());
            }
            if (present.putIfAbsent(request.clientId(), waiter) != null) {
                return CompletableFuture.failedFuture(new QueueException(
                        QueueErrorCode.DUPLICATE_CLIENT,
                        "duplicate client id; a client cannot make multiple leased requests to the same queue"));
            }
            line.add(waiter);
        }
        ScheduledFuture<?> alarm = queue.node().timer().schedule(Nanos.of(request.timeout()), () -> timeIsOver(waiter));
        Futures.whenDone(waiter.answer, (batch, failure) -> {
            alarm.cancel(false);
            leave(waiter); // who was cancelled has not left yet
        });
        queue.serve(inCallerThread);
        return waiter.answer;
    }

    /** Happens before the answer is given, so that whoever has it can ask again under the same client id. */
    private void leave(Waiter waiter) {
        synchronized (queue) {
            present.remove(waiter.request.clientId(), waiter);
            line.remove(waiter);
        }
    }

    /**
     * What is being asked now is still waited for: a store that is away may just not have failed yet. A request that came during
     * a lease, or one for which a look has found something, takes part in the lease that follows.
     */
    private void timeIsOver(Waiter waiter) {
        Futures.whenDone(queue.questions().answered(), (done, failure) -> {
            if (queue.trouble() == null) {
                leaveAfterNextLease(waiter);
            } else {
                leaveWithNothing(waiter);
            }
        });
    }

    private void leaveAfterNextLease(Waiter waiter) {
        synchronized (queue) {
            waiter.leaving = true;
        }
        Futures.whenDone(queue.questions().answered(), (done, failure) -> leaveWithNothing(waiter));
    }

    private void leaveWithNothing(Waiter waiter) {
        QueueException trouble = queue.trouble();
        leave(waiter);
        if (trouble == null) {
            waiter.answer.complete(new LeasedBatch(queue.name(), 0, List.of()));
        } else {
            waiter.answer.completeExceptionally(trouble);
        }
    }

    /** The next round that can start now, if any. The caller holds the monitor. */
    @Nullable Round nextRound() {
        line.removeIf(waiter -> waiter.isOver() || waiter.leaving);
        if (line.isEmpty()) {
            return null;
        }
        Part part = queue.fullest(line.stream().anyMatch(waiter -> !waiter.asked));
        if (part == null) {
            return null;
        }
        if (queue.hasOnePartition()) {
            line.forEach(waiter -> waiter.asked = true); // this round sees whether there is anything for anybody
        }
        List<Waiter> who = new ArrayList<>();
        int limit = 0;
        while (!line.isEmpty() && limit < MOST_PER_ROUND) {
            Waiter waiter = line.remove();
            who.add(waiter);
            limit = Math.min(MOST_PER_ROUND, limit + waiter.request.batchSize());
        }
        part.leaseBegins();
        return new Round(part, part.changes(), who, limit);
    }

    /** Whether somebody has come since the store was asked; from now on they count as asked. The caller holds the monitor. */
    boolean takeUnasked() {
        boolean any = false;
        for (Waiter waiter : line) {
            any |= !waiter.asked;
            waiter.asked = true;
            waiter.parked = true;
        }
        return any;
    }

    /** Deals what a round brought, one by one in turn; returns what nobody wants any more. The caller holds the monitor. */
    List<LeasedItem> deal(Round round, List<LeasedItem> items) {
        List<LeasedItem> left = new ArrayList<>();
        int turn = -1;
        for (LeasedItem item : items) {
            turn = next(round.who, turn);
            if (turn < 0) {
                left.add(item);
            } else {
                round.who.get(turn).deal(item);
            }
        }
        return left;
    }

    /** Answers those of a round who were dealt something; returns the shares of those who have gone meanwhile. */
    List<LeasedItem> answer(Round round) {
        List<LeasedItem> left = new ArrayList<>();
        for (Waiter waiter : round.who) {
            if (waiter.hasShare()) {
                leave(waiter);
                left.addAll(waiter.takeShare(queue.name(), round.part.number));
            }
        }
        return left;
    }

    /** Whose turn it is after {@code last}; -1 if nobody wants more. */
    private static int next(List<Waiter> who, int last) {
        for (int i = 1; i <= who.size(); i++) {
            int candidate = (last + i) % who.size();
            if (who.get(candidate).wantsMore()) {
                return candidate;
            }
        }
        return -1;
    }

    /** Puts those of a round who were dealt nothing at the front of the line again. The caller holds the monitor. */
    void comeBack(Round round) {
        for (int i = round.who.size() - 1; i >= 0; i--) {
            Waiter waiter = round.who.get(i);
            if (!waiter.isOver() && !waiter.leaving && !waiter.hasShare()) {
                line.addFirst(waiter);
            }
        }
        line.forEach(waiter -> waiter.parked = waiter.asked);
    }

    boolean hasWaiters() {
        synchronized (queue) {
            return !present.isEmpty();
        }
    }

    /** How many wait, not counting those for whom the store has not answered yet. */
    int waiting() {
        synchronized (queue) {
            return (int)
                    present.values().stream().filter(waiter -> waiter.parked).count();
        }
    }

    /** Tells everybody that it is over. Who is in a round is told now, and what the round brings goes back. */
    void close() {
        List<Waiter> all;
        synchronized (queue) {
            closed = true;
            all = List.copyOf(present.values());
            present.clear();
            line.clear();
        }
        all.forEach(waiter -> waiter.answer.completeExceptionally(QueueException.shuttingDown()));
    }
}
