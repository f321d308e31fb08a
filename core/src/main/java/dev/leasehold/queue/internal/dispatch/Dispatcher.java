package dev.leasehold.queue.internal.dispatch;

import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.spi.ItemStore.Leased;
import dev.leasehold.queue.spi.ItemStore.Outlook;
import dev.leasehold.queue.spi.ItemStore.Swept;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.QueueRecord;
import dev.leasehold.queue.spi.StaleQueueException;
import dev.leasehold.spi.Nanos;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Deals the items of a queue to the consumers that wait for them on this node.
 *
 * <ol>
 *   <li>A request joins the line. If a partition is known to have something, a lease begins there at once: at the fullest first.
 *   <li>A lease includes all consumers in line, as far as it can serve them, in one {@link LeaseRound}.
 *   <li>Its items are dealt one by one in the order of the line. Consumers with items are answered; the others return to the front of
 *       the line.
 *   <li>If nothing is known to be ready, the stores are asked: a {@link Look}.
 *   <li>A consumer is answered with "nothing" when its time is over, all that the stores were asked until then has been answered, and
 *       nothing is known to be ready that it could have.
 * </ol>
 *
 * Every public method is an event. It changes the state and adds {@link Command}s, which the caller takes and runs. The caller also
 * sees to it that one event is handled at a time. Instants are those of a monotonic clock, in nanoseconds.
 */
public final class Dispatcher {
    static final int MOST_PER_LEASE = 1000;

    /** Items that somebody else had locked may be free again after so long; no notification would say so. */
    private static final long LOCKED_NANOS = Duration.ofMillis(50).toNanos();

    private static final long FAILED_SWEEP_NANOS = Duration.ofSeconds(1).toNanos();

    private final PartitionTable partitions;
    private final ConsumerLine line;
    private final Questions questions;
    private final Poller poller;
    private final List<Command> commands = new ArrayList<>();

    /** The consumers whose time is over and who have not been answered yet. */
    private final List<WaitingConsumer> expired = new ArrayList<>();

    private boolean closed;

    /** @param jitter returns a random number from zero to its argument */
    public Dispatcher(QueueRecord record, Duration lookInterval, LongUnaryOperator jitter, long now) {
        this(new PartitionTable(record), new Questions(), lookInterval, jitter, now);
    }

    private Dispatcher(
            PartitionTable partitions, Questions questions, Duration lookInterval, LongUnaryOperator jitter, long now) {
        this(partitions, new ConsumerLine(), questions, new Poller(partitions, questions, lookInterval, jitter, now));
    }

    Dispatcher(PartitionTable partitions, ConsumerLine line, Questions questions, Poller poller) {
        this.partitions = partitions;
        this.line = line;
        this.questions = questions;
        this.poller = poller;
    }

    /** Whether there are commands to run. */
    public boolean hasCommands() {
        return !commands.isEmpty();
    }

    /** Moves the commands to where they are run. */
    public void moveCommandsTo(Deque<Command> target) {
        target.addAll(commands);
        commands.clear();
    }

    /** The record was read; it may be a newer version. */
    public void learn(QueueRecord newer) {
        partitions.learn(newer);
    }

    public QueueRecord record() {
        return partitions.record();
    }

    /** These stores did not answer their last call, and why. */
    public void storesFailing(Map<String, QueueException> failing) {
        partitions.storesFailing(failing);
    }

    // Consumers

    /** A consumer asks for items. */
    public void join(WaitingConsumer consumer) {
        if (closed) {
            fail(consumer, QueueException.shuttingDown());
        } else if (line.join(consumer)) {
            commands.add(actions -> actions.startTimeout(consumer));
            serve();
        } else {
            fail(
                    consumer,
                    new QueueException(
                            QueueErrorCode.DUPLICATE_CLIENT,
                            "duplicate client id; a client cannot make multiple leased requests to the same queue"));
        }
    }

    /** A consumer cancelled its request. What is leased for it is given back. */
    public void cancelled(WaitingConsumer consumer) {
        line.leave(consumer);
    }

    /** A consumer had cancelled its request when it was answered. */
    public void refused(int partition, List<LeasedItem> items) {
        PartitionRef ref = record().partition(partition);
        commands.add(actions -> actions.giveBack(ref, items));
    }

    /** Items were given back. Other nodes are not notified: they were not notified that these items were taken. */
    public void givenBack(int partition, int items) {
        partitions.get(partition).add(items);
        serve();
    }

    /** The time of a request is over. What is being asked now is still awaited: a store that is away may just not have failed yet. */
    public void timeIsOver(WaitingConsumer consumer) {
        if (!consumer.gone) {
            serve();
            consumer.awaits = questions.last();
            expired.add(consumer);
            answerExpired();
        }
    }

    /** No more requests; all consumers are answered. What leases under way bring is given back. */
    public void close() {
        closed = true;
        for (WaitingConsumer consumer : line.all()) {
            line.leave(consumer);
            fail(consumer, QueueException.shuttingDown());
        }
    }

    private void closeQuestion(long question) {
        questions.close(question);
        answerExpired();
    }

    /** Answers those whose time is over, when it is certain that there is nothing for them. */
    private void answerExpired() {
        for (Iterator<WaitingConsumer> i = expired.iterator(); i.hasNext(); ) {
            WaitingConsumer consumer = i.next();
            if (!consumer.gone && !questions.isOpenUpTo(consumer.awaits)) {
                answerIfCertain(consumer);
            }
            if (consumer.gone) {
                i.remove();
            }
        }
    }

    private void answerIfCertain(WaitingConsumer consumer) {
        consumer.leaveSoon(partitions.size());
        if (consumer.leasing) {
            return;
        }
        QueueException failure = partitions.unavailable();
        if (failure != null) {
            line.leave(consumer);
            fail(consumer, failure);
        } else if (!consumer.asked) {
            look();
            consumer.asked(questions.last());
        } else if (partitions.isLeasingKnownItems()) {
            consumer.awaits = questions.last();
        } else {
            answer(consumer, 0);
        }
    }

    /** What to tell a caller who needs a partition whose store does not answer. */
    public static QueueException unavailable(int partition, @Nullable QueueException failure) {
        String why = failure == null ? "" : ": " + failure.getMessage();
        return new QueueException(
                QueueErrorCode.PARTITION_UNAVAILABLE,
                "partition not available; partition '" + partition + "' is failing, retry again" + why,
                failure);
    }

    private void answer(WaitingConsumer consumer, int partition) {
        line.leave(consumer);
        LeasedBatch batch = new LeasedBatch(record().name(), partition, consumer.share());
        commands.add(actions -> actions.answer(consumer, batch));
    }

    private void fail(WaitingConsumer consumer, QueueException failure) {
        commands.add(actions -> actions.fail(consumer, failure));
    }

    // Leases

    /** Starts every lease that can start. Has the stores asked on behalf of those who came when nothing was known. */
    private void serve() {
        for (PartitionState best = partitions.fullest(this::isWorthLeasing);
                best != null;
                best = partitions.fullest(this::isWorthLeasing)) {
            LeaseRound round = begin(best);
            commands.add(actions -> actions.lease(round));
        }
        if (line.hasUnasked() && !partitions.isLeasing()) {
            look();
            line.asked(questions.last());
            line.park();
        }
    }

    /** The only partition of a queue is leased from for a newcomer even if nothing is known to be there. */
    private boolean isWorthLeasing(PartitionState partition) {
        return partition.ready() > 0 ? line.hasTakers() : partitions.size() == 1 && line.hasUnasked();
    }

    private LeaseRound begin(PartitionState partition) {
        long question = questions.open();
        if (partitions.size() == 1) {
            line.asked(question); // it finds out for everybody in line whether there is something
        }
        List<WaitingConsumer> consumers = line.take(MOST_PER_LEASE, partition.ready() > 0);
        partition.leaseBegins();
        return new LeaseRound(partitions.ref(partition), consumers, question, partition.changes());
    }

    /** A lease was answered. */
    public void leaseEnded(LeaseRound round, Leased leased, long now) {
        PartitionState partition = partitions.get(round.ref());
        int items = leased.items().size();
        List<LeasedItem> left = round.deal(leased.items());
        round.end();
        partition.unsure = null;
        partition.leaseEnded(items, items < round.limit() && !leased.isCut(), round.changes);
        due(partition.number, leased.nextDue(), now);
        if (items > 0) {
            due(partition.number, record().info().config().leaseTimeout(), now);
        }
        for (WaitingConsumer consumer : round.served()) {
            answer(consumer, partition.number);
        }
        line.putBack(round.consumers());
        if (!left.isEmpty()) {
            refused(partition.number, left);
        }
        if (leased.hasSkipped()) {
            commands.add(actions -> actions.hintLater(partition.number, LOCKED_NANOS));
        }
        publish(partition, partition.isLeftToBePublished());
        serve();
        closeQuestion(round.question);
    }

    /** A lease failed. Its consumers may be served elsewhere; a look says when this partition is worth trying again. */
    public void leaseFailed(LeaseRound round, QueueException failure, long now) {
        PartitionState partition = partitions.get(round.ref());
        round.end();
        partition.leaseFailed();
        line.putBack(round.consumers());
        publish(partition, partition.isLeftToBePublished());
        if (failure instanceof StaleQueueException stale) {
            partition.unsure = null;
            round.consumers().forEach(consumer -> consumer.leaseAgain(round.question));
            commands.add(actions -> actions.refresh(stale.partition(), round.question));
        } else {
            partition.unsure = failure;
            poller.soon(now);
            serve();
            closeQuestion(round.question);
        }
    }

    /** The end of a lease could not be handled. Its partition can be leased from again, and a look says when. */
    public void leaseAborted(LeaseRound round, long now) {
        if (round.end()) {
            partitions.get(round.ref()).leaseFailed();
            line.putBack(round.consumers());
        }
        poller.soon(now);
        closeQuestion(round.question);
    }

    /** The record was read again because a store said that it had changed; everything is tried again with the new one. */
    public void refreshEnded(PartitionRef stale, long question, @Nullable QueueException failure, long now) {
        if (question == Questions.NONE) {
            return;
        }
        PartitionState partition = partitions.get(stale);
        if (failure == null) {
            partition.wake();
            line.unask();
            serve();
        } else {
            partition.unsure = failure;
            poller.soon(now);
        }
        closeQuestion(question);
    }

    // News

    /** Items became ready by a call of this node. Its own consumers are served first; other nodes are notified of what they leave. */
    public void ready(int number, int items) {
        if (items > 0 && partitions.contains(number)) {
            PartitionState partition = partitions.get(number);
            partition.add(items);
            serve();
            publish(partition, partition.isToBePublished());
        }
    }

    /** Another node says that something is ready, or a moment has passed. */
    public void hint(int number) {
        if (partitions.contains(number)) {
            partitions.get(number).hint();
            serve();
        }
    }

    /** Something will be due in a partition. */
    public void due(int number, @Nullable Duration in, long now) {
        if (in != null && partitions.contains(number)) {
            partitions.get(number).due(now + Nanos.of(in));
        }
    }

    private void publish(PartitionState partition, boolean condition) {
        if (condition) {
            PartitionRef ref = partitions.ref(partition);
            commands.add(actions -> actions.publish(ref));
        }
    }

    /** Where new items go. Fails if all stores of the queue are failing. */
    public int emptiest() {
        return partitions.emptiest().number;
    }

    /** A produce begins, of so many items that will be ready at once; returns the partition. */
    public int produceBegins(int ready) {
        PartitionState partition = partitions.emptiest();
        partition.produceBegins(ready);
        return partition.number;
    }

    /** The same produce has ended, well or not; what it stored follows as {@link #ready} and {@link #due}. */
    public void produceEnded(int number, int ready) {
        partitions.get(number).produceEnded(ready);
    }

    // Polling and sweeping

    /** A beat of the clock: looks at stores and sweeps partitions when it is time. */
    public void beat(long now) {
        if (poller.takeDue(now, hasConsumers() || partitions.unavailable() != null)) {
            look();
        }
        if (hasConsumers() && poller.takeListen(now)) {
            Set<String> stores = Set.copyOf(record().stores());
            commands.add(actions -> actions.listen(stores));
        }
        for (PartitionState partition : partitions) {
            if (partition.beginSweep(now)) {
                PartitionRef ref = partitions.ref(partition);
                commands.add(actions -> actions.sweep(ref));
            }
        }
    }

    /** Looks at all partitions, or once more where a look is under way. */
    public void look() {
        poller.look().forEach(this::send);
    }

    private void send(@Nullable Look look) {
        if (look != null) {
            commands.add(actions -> actions.look(look));
        }
    }

    /** A look was answered after {@code tookNanos}. */
    public void lookEnded(Look look, List<Outlook> outlooks, long tookNanos, long now) {
        poller.rest(tookNanos, now);
        for (int i = 0; i < outlooks.size(); i++) {
            Outlook outlook = outlooks.get(i);
            PartitionState partition = partitions.get(look.partitions().get(i));
            partition.unsure = outlook.ready() == 0 ? null : partition.unsure; // if not, a lease may still fail
            partition.setReady(outlook.ready(), partition.isChanging() ? Look.INEXACT : look.changes[i]);
            due(partition.number, outlook.nextDue(), now);
        }
        send(poller.next(look));
        serve();
        closeQuestion(look.question);
    }

    /** A look failed. */
    public void lookFailed(Look look, QueueException failure, long now) {
        send(poller.next(look));
        if (failure instanceof StaleQueueException stale) {
            commands.add(actions -> actions.refresh(stale.partition(), look.question));
        } else {
            look.partitions().forEach(ref -> partitions.get(ref).unsure = failure);
            poller.soon(now);
            closeQuestion(look.question);
        }
    }

    /** A sweep was carried out. What it made ready follows as {@link #ready}. */
    public void sweepEnded(int number, Swept swept, long now) {
        partitions.get(number).sweeping = false;
        due(number, swept.nextDue(), now);
    }

    /** A sweep failed. One that knew an old version of the queue is repeated as soon as the record has been read again. */
    public void sweepFailed(int number, QueueException failure, long now) {
        PartitionState partition = partitions.get(number);
        partition.sweeping = false;
        if (failure instanceof StaleQueueException stale) {
            partition.due(now);
            commands.add(actions -> actions.refresh(stale.partition(), Questions.NONE));
        } else {
            partition.due(now + FAILED_SWEEP_NANOS);
            poller.soon(now);
        }
    }

    // State

    PartitionTable partitions() {
        return partitions;
    }

    Questions questions() {
        return questions;
    }

    public boolean hasConsumers() {
        return !line.isEmpty();
    }

    /** How many wait, without those for whom the store has not answered yet. */
    public int waiting() {
        return line.waiting();
    }

    /** About how many items are ready. */
    public long readyItems() {
        return partitions.ready();
    }
}
