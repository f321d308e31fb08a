package dev.leasehold.testkit.lock;

import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockEvent.Result;
import dev.leasehold.lock.LockEvent.Type;
import dev.leasehold.lock.LockListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A listener that remembers all it was told. */
public final class HeardEvents implements LockListener {
    private final List<LockEvent> events = new CopyOnWriteArrayList<>();

    @Override
    public void onEvent(LockEvent event) {
        events.add(event);
    }

    /** All events so far. */
    public List<LockEvent> all() {
        return List.copyOf(events);
    }

    /** The events of one type so far. */
    public List<LockEvent> all(Type type) {
        return events.stream().filter(event -> event.type() == type).toList();
    }

    /** How many events of one type had this result. */
    public long count(Type type, Result result) {
        return all(type).stream().filter(event -> event.result() == result).count();
    }
}
