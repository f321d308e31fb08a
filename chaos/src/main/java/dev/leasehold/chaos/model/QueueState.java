package dev.leasehold.chaos.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a {@link QueueModel} is.
 *
 * @param ids the sequence of the partition
 * @param items what is to be produced, in that order
 * @param violation the invariant that the last answer has violated
 */
record QueueState(
        int now,
        int ids,
        List<Item> items,
        List<Consumer> consumers,
        @Nullable String violation) {
    static QueueState initial(int items, int consumers, int leases) {
        Item none = new Item(Place.NOT_YET, 0, 0, 0, 0, 0, 0, 0);
        Consumer idle = new Consumer(Phase.IDLE, -1, 0, 0, 0, 0, 0, leases);
        return new QueueState(0, 0, Collections.nCopies(items, none), Collections.nCopies(consumers, idle), null);
    }

    QueueState tick() {
        return new QueueState(now + 1, ids, items, consumers, violation);
    }

    QueueState drawId() {
        return new QueueState(now, ids + 1, items, consumers, violation);
    }

    QueueState with(int number, Item item) {
        List<Item> changed = new ArrayList<>(items);
        changed.set(number, item);
        return new QueueState(now, ids, List.copyOf(changed), consumers, violation);
    }

    QueueState with(int number, Consumer consumer) {
        List<Consumer> changed = new ArrayList<>(consumers);
        changed.set(number, consumer);
        return new QueueState(now, ids, items, List.copyOf(changed), violation);
    }

    /** This state; with the violation, if it is one. */
    QueueState violating(boolean isViolation, String invariant) {
        return isViolation ? new QueueState(now, ids, items, consumers, invariant) : this;
    }

    Item item(int number) {
        return items.get(number);
    }

    /** How many believe that they have this item now. */
    long believers(int item) {
        return consumers.stream()
                .filter(consumer -> consumer.item == item && consumer.phase == Phase.HOLDING && now < consumer.until)
                .count();
    }

    /** Whether somebody has completed this item and not heard of it yet. */
    boolean isBeingCompleted(int item) {
        return consumers.stream().anyMatch(consumer -> consumer.item == item && consumer.phase == Phase.COMPLETED);
    }

    /** The last of the items, in the order of their production, whose first lease somebody has heard of. */
    int lastHeard() {
        int last = -1;
        for (int i = 0; i < items.size(); i++) {
            last = items.get(i).heard > 0 ? i : last;
        }
        return last;
    }

    /** Where an item is. */
    enum Place {
        NOT_YET,
        READY,
        LEASED,
        DEAD,
        GONE
    }

    /**
     * One item.
     *
     * @param leases how often it was really leased
     * @param heard the most attempts of it that anybody has heard of
     * @param completes how many consumers have heard that they completed it
     * @param letters how many dead letters there are of it
     */
    record Item(Place place, int id, int deadline, int attempts, int leases, int heard, int completes, int letters) {
        Item ready(int id) {
            return new Item(Place.READY, id, 0, attempts, leases, heard, completes, letters);
        }

        Item leased(int attempts, int deadline) {
            return new Item(Place.LEASED, id, deadline, attempts, leases + 1, heard, completes, letters);
        }

        Item heard(int attempts) {
            return new Item(place, id, deadline, this.attempts, leases, Math.max(heard, attempts), completes, letters);
        }

        Item completed() {
            return new Item(place, id, deadline, attempts, leases, heard, completes + 1, letters);
        }

        Item to(Place place) {
            return new Item(place, id, deadline, attempts, leases, heard, completes, letters);
        }

        Item died() {
            return new Item(place, id, deadline, attempts, leases, heard, completes, letters + 1);
        }
    }

    /** Where a consumer is; of what it asked the store, whether that has been carried out. */
    enum Phase {
        IDLE,
        LEASING,
        LEASED,
        NOTHING,
        HOLDING,
        COMPLETING,
        COMPLETED,
        RETRYING,
        RETRIED,
        REFUSED
    }

    /**
     * One consumer, with what it has leased.
     *
     * @param until until when it believes that it has the item
     * @param sent when it sent its call
     * @param seen what others had heard then: of a lease the last item, of a settlement the most attempts
     * @param left how often it may still lease
     */
    record Consumer(Phase phase, int item, int id, int attempts, int until, int sent, int seen, int left) {
        Consumer to(Phase phase) {
            return new Consumer(phase, item, id, attempts, until, sent, seen, left);
        }

        Consumer settles(Phase phase, int seen) {
            return new Consumer(phase, item, id, attempts, until, sent, seen, left);
        }

        Consumer asks(int now, int seen) {
            return new Consumer(Phase.LEASING, -1, 0, 0, 0, now, seen, left - 1);
        }

        Consumer leased(int number, Item item) {
            return new Consumer(Phase.LEASED, number, item.id, item.attempts, 0, sent, seen, left);
        }

        Consumer holds(int until) {
            return new Consumer(Phase.HOLDING, item, id, attempts, until, 0, 0, left);
        }

        Consumer idle() {
            return new Consumer(Phase.IDLE, -1, 0, 0, 0, 0, 0, left);
        }
    }
}
