package dev.leasehold.chaos.model;

import dev.leasehold.chaos.model.QueueModel.Rule;
import dev.leasehold.chaos.model.QueueState.Item;
import dev.leasehold.chaos.model.QueueState.Place;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** What a store does to the items of a partition, as far as it keeps to the rules. */
record ModelPartition(Set<Rule> rules) {
    static final int TIMEOUT = 2;
    static final int MAX_ATTEMPTS = 2;

    private boolean keeps(Rule rule) {
        return rules.contains(rule);
    }

    /** The item that a lease takes. */
    Optional<Integer> next(QueueState state) {
        Comparator<Integer> byId =
                Comparator.comparingInt(number -> state.item(number).id());
        return IntStream.range(0, state.items().size())
                .boxed()
                .filter(number -> isObtainable(state.item(number)))
                .min(keeps(Rule.LEASE_IN_ORDER) ? byId : byId.reversed());
    }

    private boolean isObtainable(Item item) {
        return item.place() == Place.READY || (item.place() == Place.LEASED && !keeps(Rule.LEASE_CHECKS));
    }

    Item leased(QueueState state, int number) {
        Item item = state.item(number);
        return item.leased(item.attempts() + (keeps(Rule.LEASE_COUNTS) ? 1 : 0), state.now() + TIMEOUT);
    }

    boolean isDue(QueueState state, int number) {
        Item item = state.item(number);
        return item.place() == Place.LEASED && (state.now() >= item.deadline() || !keeps(Rule.EXPIRE_AT_DEADLINE));
    }

    QueueState expire(QueueState state, int number) {
        return keeps(Rule.EXPIRE_KEEPS)
                ? again(state, number)
                : state.with(number, state.item(number).to(Place.GONE));
    }

    boolean mayComplete(QueueState state, int number, int id) {
        return mayRetry(state, number, id) || !keeps(Rule.COMPLETE_CHECKS);
    }

    boolean mayRetry(QueueState state, int number, int id) {
        Item item = state.item(number);
        return item.place() == Place.LEASED && item.id() == id;
    }

    /** To the tail, or to the dead queue. */
    QueueState again(QueueState state, int number) {
        Item item = state.item(number);
        if (item.attempts() < MAX_ATTEMPTS && keeps(Rule.DEATH_WAITS)) {
            return toTail(state, number, item);
        }
        return keeps(Rule.DEATH_MOVES)
                ? state.with(number, item.died().to(Place.DEAD))
                : toTail(state, number, item.died());
    }

    private QueueState toTail(QueueState state, int number, Item item) {
        return keeps(Rule.NEW_ID) ? produce(state, number, item) : state.with(number, item.ready(item.id()));
    }

    QueueState produce(QueueState state, int number, Item item) {
        QueueState drawn = state.drawId();
        return drawn.with(number, item.ready(drawn.ids()));
    }
}
