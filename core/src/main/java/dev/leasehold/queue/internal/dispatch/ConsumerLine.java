package dev.leasehold.queue.internal.dispatch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The consumers of a queue that wait on this node: in line, or in a lease that is under way. */
class ConsumerLine {
    /** All that have not been answered, by client id. */
    private final Map<String, WaitingConsumer> present = new LinkedHashMap<>();

    private final Deque<WaitingConsumer> line = new ArrayDeque<>();

    /** Puts a consumer at the end; false if there is one of the same client. */
    boolean join(WaitingConsumer consumer) {
        boolean isNew = present.putIfAbsent(consumer.request().clientId(), consumer) == null;
        if (isNew) {
            line.add(consumer);
        }
        return isNew;
    }

    /** A consumer is answered, or was cancelled. */
    void leave(WaitingConsumer consumer) {
        consumer.gone = true;
        present.remove(consumer.request().clientId(), consumer);
        if (!consumer.leasing) {
            line.remove(consumer);
        }
    }

    /**
     * Takes the first consumers out of the line, as many as a lease of {@code mostItems} can serve.
     *
     * @param isKnown whether something is known to be ready for them
     */
    List<WaitingConsumer> take(int mostItems, boolean isKnown) {
        List<WaitingConsumer> taken = new ArrayList<>();
        int items = 0;
        for (Iterator<WaitingConsumer> i = line.iterator(); i.hasNext() && items < mostItems; ) {
            WaitingConsumer consumer = i.next();
            if (consumer.mayLease(isKnown)) {
                i.remove();
                consumer.leasing = true;
                consumer.takeChance();
                taken.add(consumer);
                items += consumer.request().batchSize();
            }
        }
        return taken;
    }

    /** Puts those who were not served at the front again, in their order. */
    void putBack(List<WaitingConsumer> taken) {
        for (int i = taken.size() - 1; i >= 0; i--) {
            WaitingConsumer consumer = taken.get(i);
            consumer.leasing = false;
            if (!consumer.gone) {
                line.addFirst(consumer);
            }
        }
        line.forEach(consumer -> consumer.parked = consumer.asked);
    }

    /** Whether somebody in line may lease what is known to be ready. */
    boolean hasTakers() {
        for (WaitingConsumer consumer : line) {
            if (consumer.mayLease(true)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the store has to be asked on behalf of somebody in line. */
    boolean hasUnasked() {
        for (WaitingConsumer consumer : line) {
            if (!consumer.asked && !consumer.leaving) {
                return true;
            }
        }
        return false;
    }

    /** The store is asked on behalf of all in line who came since it was asked last. */
    void asked(long question) {
        line.forEach(consumer -> consumer.asked(question));
    }

    /** The store is to be asked again on behalf of all in line. */
    void unask() {
        line.forEach(consumer -> consumer.asked = false);
    }

    void park() {
        line.forEach(consumer -> consumer.parked = true);
    }

    Collection<WaitingConsumer> all() {
        return List.copyOf(present.values());
    }

    boolean isEmpty() {
        return present.isEmpty();
    }

    /** How many wait, without those for whom the store has not answered yet. */
    int waiting() {
        int waiting = 0;
        for (WaitingConsumer consumer : present.values()) {
            waiting += consumer.parked ? 1 : 0;
        }
        return waiting;
    }
}
