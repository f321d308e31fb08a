package dev.leasehold.chaos.model;

import dev.leasehold.chaos.history.Facts;
import dev.leasehold.chaos.history.ItemFacts;
import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.QueueFacts;
import dev.leasehold.chaos.history.Turn;
import dev.leasehold.chaos.model.QueueState.Item;
import dev.leasehold.chaos.model.QueueState.Place;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One partition: produce, lease, expire, complete, retry and die, with consumers that pause, forget and lose answers at any time.
 *
 * <p>A call of a consumer is three steps, as in {@link LockModel}; producing is one.
 */
public final class QueueModel implements Model<QueueState> {
    /** What the store keeps to. Leave one out to see what it is for. */
    public enum Rule {
        /** Lease takes only what is ready. */
        LEASE_CHECKS,
        /** Lease takes the smallest id. */
        LEASE_IN_ORDER,
        /** Every lease counts as an attempt. */
        LEASE_COUNTS,
        /** A lease ends at its deadline, not before. */
        EXPIRE_AT_DEADLINE,
        /** An item whose lease ended is still there. */
        EXPIRE_KEEPS,
        /** Expiry and retry give the item a new id, so that the old one is worth nothing. */
        NEW_ID,
        /** Complete deletes only what is leased under the id that it names. */
        COMPLETE_CHECKS,
        /** An item that dies is no longer in its queue. */
        DEATH_MOVES,
        /** An item dies only when it has had its attempts. */
        DEATH_WAITS
    }

    static final String QUEUE = "queue";
    private static final String DEAD_QUEUE = "dead";
    private static final int LEASES = 2;

    private final Set<Rule> rules;
    private final int items;
    private final int consumers;
    private final int ticks;

    private QueueModel(Set<Rule> rules, int items, int consumers, int ticks) {
        this.rules = rules;
        this.items = items;
        this.consumers = consumers;
        this.ticks = ticks;
    }

    /** A model of that many items and consumers, over that many ticks, of which a lease lasts two. */
    public static QueueModel of(int items, int consumers, int ticks) {
        return new QueueModel(EnumSet.allOf(Rule.class), items, consumers, ticks);
    }

    /** The same without a rule. */
    public QueueModel without(Rule rule) {
        Set<Rule> others = EnumSet.copyOf(rules);
        others.remove(rule);
        return new QueueModel(others, items, consumers, ticks);
    }

    @Override
    public QueueState initial() {
        return QueueState.initial(items, consumers, LEASES);
    }

    @Override
    public int now(QueueState state) {
        return state.now();
    }

    @Override
    public @Nullable String violation(QueueState state) {
        for (int number = 0; number < state.items().size(); number++) {
            Item item = state.item(number);
            boolean isDead = item.place() == Place.DEAD;
            boolean isCompleted = item.completes() > 0 || state.isBeingCompleted(number);
            if (state.believers(number) > 1) {
                return "LeasedToOne";
            } else if (item.completes() > 1) {
                return "CompletedOnce";
            } else if (item.place() == Place.GONE && !isCompleted) {
                return "NothingLost";
            } else if (item.letters() != (isDead ? 1 : 0)
                    || (isDead && item.attempts() < ModelPartition.MAX_ATTEMPTS)) {
                return "DeadLettersOnce";
            }
        }
        return state.violation();
    }

    @Override
    public List<Step<QueueState>> steps(QueueState state) {
        List<Step<QueueState>> steps = new ArrayList<>();
        if (violation(state) != null) {
            return steps;
        }
        if (state.now() < ticks) {
            steps.add(new Step<>("tick " + (state.now() + 1), state.tick(), List.of()));
        }
        ModelPartition partition = new ModelPartition(rules);
        for (int number = 0; number < state.items().size(); number++) {
            addSteps(partition, state, number, steps);
        }
        for (int number = 0; number < state.consumers().size(); number++) {
            new ConsumerMoves(partition, state, number, steps).add();
        }
        return steps;
    }

    /** What can happen to one item without a consumer. */
    private static void addSteps(ModelPartition partition, QueueState state, int number, List<Step<QueueState>> steps) {
        Item item = state.item(number);
        boolean isNext = number == 0 || state.item(number - 1).place() != Place.NOT_YET;
        if (item.place() == Place.NOT_YET && isNext) {
            Facts facts = Facts.items(List.of(ItemFacts.of(payload(number))));
            steps.add(new Step<>(
                    payload(number) + " is produced",
                    partition.produce(state, number, item),
                    call("producer", Operation.PRODUCE, QUEUE, facts, Facts.NONE)));
        }
        if (partition.isDue(state, number)) {
            steps.add(new Step<>(
                    "the lease of " + payload(number) + " ends", partition.expire(state, number), List.of()));
        }
    }

    @Override
    public List<Told> before() {
        QueueFacts facts = new QueueFacts(ModelPartition.MAX_ATTEMPTS, DEAD_QUEUE, Long.MAX_VALUE);
        return call("setup", Operation.CREATE_QUEUE, QUEUE, Facts.NONE, Facts.queue(facts));
    }

    /** A look at what is left in the queue and in its dead queue. */
    @Override
    public List<Told> after(QueueState last) {
        Function<Item, Integer> copies = item -> item.place() == Place.READY || item.place() == Place.LEASED ? 1 : 0;
        return Stream.concat(look(QUEUE, last, copies).stream(), look(DEAD_QUEUE, last, Item::letters).stream())
                .toList();
    }

    private static List<Told> look(String queue, QueueState last, Function<Item, Integer> copies) {
        List<ItemFacts> found = new ArrayList<>();
        for (int number = 0; number < last.items().size(); number++) {
            ItemFacts facts = facts(number, last.item(number).id(), 0);
            IntStream.range(0, copies.apply(last.item(number))).forEach(copy -> found.add(facts));
        }
        return call("look", Operation.LEFT, queue, Facts.NONE, Facts.items(found));
    }

    static String payload(int item) {
        return "item" + item;
    }

    static ItemFacts facts(int item, int id, int attempts) {
        return new ItemFacts(payload(item), "id" + id, attempts, Turn.NOW);
    }

    private static List<Told> call(String worker, Operation operation, String subject, Facts asked, Facts answer) {
        return List.of(
                new Told(worker, Kind.INVOKE, operation, subject, asked),
                new Told(worker, Kind.OK, operation, subject, answer));
    }
}
