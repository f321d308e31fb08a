package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.Facts;
import dev.leasehold.chaos.history.History;
import dev.leasehold.chaos.history.ItemFacts;
import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.QueueFacts;
import dev.leasehold.chaos.history.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A history that is made up, in milliseconds: each call with when it was invoked and when it ended. */
final class Tale {
    /** The end of a call that nobody lived to tell. */
    static final long NEVER = -1;

    private static final String KEY = "k";
    static final String QUEUE = "q";
    static final String DEAD = "q-dead";

    private final List<Event> events = new ArrayList<>();
    private long calls;
    private String node = "n";

    /** Makes the calls that follow those of another process. */
    Tale on(String node) {
        this.node = node;
        return this;
    }

    Tale call(Operation operation, String subject, long from, long to, Facts asked, Kind kind, Facts answer) {
        calls++;
        String worker = "w" + calls;
        events.add(event(Kind.INVOKE, from, worker, operation, subject, asked));
        if (to != NEVER) {
            events.add(event(kind, to, worker, operation, subject, answer));
        }
        return this;
    }

    private Event event(Kind kind, long ms, String worker, Operation operation, String subject, Facts facts) {
        return new Event(events.size(), calls, kind, nanos(ms), node, worker, operation, subject, facts);
    }

    /** The last call was made by this worker. */
    Tale by(String worker) {
        events.replaceAll(event -> event.call() != calls
                ? event
                : new Event(
                        event.sequence(),
                        calls,
                        event.kind(),
                        event.nanos(),
                        event.node(),
                        worker,
                        event.operation(),
                        event.subject(),
                        event.facts()));
        return this;
    }

    static long nanos(long ms) {
        return ms * 1_000_000;
    }

    /** A grant of the key. */
    Tale acquired(String grant, long fence, long from, long to, long ttl) {
        return call(Operation.ACQUIRE, KEY, from, to, lasts(ttl), Kind.OK, grant(grant, fence));
    }

    Tale acquire(Kind kind, long from, long to) {
        return call(Operation.ACQUIRE, KEY, from, to, lasts(1000), kind, Facts.NONE);
    }

    Tale extend(Kind kind, String grant, long from, long to, long ttl) {
        Facts asked = new Facts(null, grant, null, nanos(ttl), false, List.of(), null, null);
        return call(Operation.EXTEND, KEY, from, to, asked, kind, Facts.NONE);
    }

    /** A call under a grant. */
    Tale under(String grant, Operation operation, Kind kind, long from, long to) {
        return call(operation, KEY, from, to, grant(grant, null), kind, Facts.NONE);
    }

    /** A guarded commit. */
    Tale commit(Kind kind, long fence, long from, long to, String... payloads) {
        return call(Operation.COMMIT, KEY, from, to, grant("g" + fence, fence).with(items(payloads)), kind, Facts.NONE);
    }

    Tale write(Kind kind, long from, long to, String... payloads) {
        return call(Operation.WRITE, KEY, from, to, Facts.items(items(payloads)), kind, Facts.NONE);
    }

    Tale leftOfKey(long from, long to, String... payloads) {
        return call(Operation.LEFT, KEY, from, to, Facts.NONE, Kind.OK, Facts.items(items(payloads)));
    }

    Tale queue(int maxAttempts, String deadQueue, long expire) {
        return call(
                Operation.CREATE_QUEUE,
                QUEUE,
                0,
                0,
                Facts.NONE,
                Kind.OK,
                Facts.queue(new QueueFacts(maxAttempts, deadQueue, nanos(expire))));
    }

    /** A call of somebody who administers queues; what it sets up, if it does, names this dead queue. */
    Tale admin(Operation operation, Kind kind, String queue, String deadQueue, long from, long to) {
        return admin(operation, kind, queue, new QueueFacts(0, deadQueue, Long.MAX_VALUE), from, to);
    }

    Tale admin(Operation operation, Kind kind, String queue, QueueFacts facts, long from, long to) {
        boolean isSetUp = operation == Operation.CREATE_QUEUE || operation == Operation.UPDATE_QUEUE;
        return call(operation, queue, from, to, isSetUp ? Facts.queue(facts) : Facts.NONE, kind, Facts.NONE);
    }

    /** Somebody deleted the queue. */
    Tale deleted(Kind kind, long from, long to) {
        return admin(Operation.DELETE_QUEUE, kind, QUEUE, "", from, to);
    }

    /** A listing of queues that all begin alike: the name as payload, the dead queue as id. */
    Tale listed(long from, long to, ItemFacts... queues) {
        return call(Operation.QUEUES, QUEUE, from, to, Facts.NONE, Kind.OK, Facts.items(List.of(queues)));
    }

    Tale produced(long from, long to, String... payloads) {
        return produce(Kind.OK, from, to, items(payloads));
    }

    /** A produce that was told the ids. */
    Tale producedAs(long from, long to, ItemFacts... items) {
        List<ItemFacts> asked =
                Stream.of(items).map(item -> ItemFacts.of(item.payload())).toList();
        List<ItemFacts> told = Stream.of(items)
                .map(item -> ItemFacts.of(item.payload()).id(String.valueOf(item.id())))
                .toList();
        return call(Operation.PRODUCE, QUEUE, from, to, Facts.items(asked), Kind.OK, Facts.items(told));
    }

    Tale produce(Kind kind, long from, long to, List<ItemFacts> items) {
        return call(Operation.PRODUCE, QUEUE, from, to, Facts.items(items), kind, Facts.NONE);
    }

    /** A lease of that many milliseconds. */
    Tale leased(long from, long to, long timeout, ItemFacts... items) {
        return leasedFrom(QUEUE, from, to, timeout, items);
    }

    Tale leasedFrom(String queue, long from, long to, long timeout, ItemFacts... items) {
        Facts answer = Facts.items(List.of(items)).partition(0);
        return call(Operation.LEASE, queue, from, to, lasts(timeout), Kind.OK, answer);
    }

    /** What the handler of a consumer was given. */
    Tale handed(long at, ItemFacts item) {
        return call(Operation.LEASE, QUEUE, at, at, Facts.NONE, Kind.OK, Facts.items(List.of(item)));
    }

    Tale lease(Kind kind, long from, long to) {
        return call(Operation.LEASE, QUEUE, from, to, lasts(1000), kind, Facts.NONE);
    }

    Tale settle(Operation operation, Kind kind, long from, long to, ItemFacts... items) {
        return settleIn(QUEUE, operation, kind, from, to, items);
    }

    Tale settleIn(String queue, Operation operation, Kind kind, long from, long to, ItemFacts... items) {
        return call(operation, queue, from, to, Facts.items(List.of(items)), kind, Facts.NONE);
    }

    Tale extendLease(Kind kind, long from, long to, long timeout, ItemFacts item) {
        Facts asked = new Facts(0, null, null, nanos(timeout), false, List.of(item), null, null);
        return call(Operation.EXTEND_LEASE, QUEUE, from, to, asked, kind, Facts.NONE);
    }

    Tale left(String queue, long from, long to, ItemFacts... items) {
        return call(Operation.LEFT, queue, from, to, Facts.NONE, Kind.OK, Facts.items(List.of(items)));
    }

    /** An acquire that its caller cancelled. */
    Tale cancelled(long from, long to) {
        return call(Operation.ACQUIRE, KEY, from, to, lasts(1000), Kind.UNKNOWN, Facts.cancelled());
    }

    /** An acquire that had too little time. */
    Tale impatient(long from, long to) {
        return call(Operation.ACQUIRE, KEY, from, to, lasts(1000).noting(Facts.IMPATIENT), Kind.UNKNOWN, Facts.NONE);
    }

    /** A lock with that ttl that was to be kept. */
    Tale lost(long at, long ttl, String note) {
        return call(Operation.LOST, KEY, at, at, lasts(ttl).noting(note), Kind.OK, Facts.NONE);
    }

    Tale fault(long from, long to) {
        return call(Operation.FAULT, "cut", from, to, Facts.NONE, Kind.OK, Facts.NONE);
    }

    static Facts lasts(long ms) {
        return new Facts(null, null, null, nanos(ms), false, List.of(), null, null);
    }

    private static Facts grant(String grant, @Nullable Long fence) {
        return new Facts(null, grant, fence, null, false, List.of(), null, null);
    }

    private static Facts grant(String grant, long fence) {
        return grant(grant, Long.valueOf(fence));
    }

    /** An item under an id, at an attempt. */
    static ItemFacts item(String payload, String id, int attempts) {
        return new ItemFacts(payload, id, attempts, Turn.NOW);
    }

    static List<ItemFacts> items(String... payloads) {
        return Stream.of(payloads).map(ItemFacts::of).toList();
    }

    History history() {
        return History.merge(List.of(events));
    }

    /** What the invariant says to it. */
    List<Violation> checkedBy(Invariant invariant) {
        return invariant.check(Calls.of(history()));
    }
}
