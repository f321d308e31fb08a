package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.PendingCall;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.StoreClock;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.internal.Ksuid.Place;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.spi.PartitionRef;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A statement on leased items: complete, retry, extend. Each call is all or nothing: a wrong id fails its own call and no other.
 *
 * <p>Concurrent calls are batched. The statement gets the numbers of their items in ascending order, each with how often the item was
 * given back and with the number of its call. Two calls that name the same item, even by an old id, are not batched together.
 */
abstract class LeasedItemsStatement<Q, R> extends PartitionStatement<Q, R> {
    private static final int MOST_CALLS = 1000;
    private static final int MOST_IDS = 5000;

    private final String verb;

    /** @param verb what is done to the items, as in "cannot be completed" */
    LeasedItemsStatement(String verb, Sql sql, PartitionRef partition, StoreClock clock) {
        super(sql, partition, clock);
        this.verb = verb;
    }

    /** The ids that a request names. */
    abstract List<ItemId> ids(Q request);

    @Override
    public int maxGroup() {
        return MOST_CALLS;
    }

    @Override
    public Predicate<Q> admission() {
        Set<Long> taken = new HashSet<>();
        return request -> {
            List<Long> numbers = ids(request).stream()
                    .map(id -> QueueRows.number(partition, id))
                    .toList();
            boolean fits = taken.size() + numbers.size() <= MOST_IDS
                    && numbers.stream().noneMatch(number -> number >= 0 && taken.contains(number));
            taken.addAll(numbers);
            return fits;
        };
    }

    /** One of the ids, with where it was named. */
    record Named(int call, int place, int givenBack) {}

    /** The places that ids name. If two ids name one item, one of them is an old one of it, and so names no place. */
    private List<Place> places(List<ItemId> ids) {
        Map<Long, Place> first = new HashMap<>();
        List<Place> places = new ArrayList<>(ids.size());
        for (ItemId id : ids) {
            Place place = QueueRows.place(partition, id);
            Place before = first.putIfAbsent(place.number(), place);
            places.add(before == null || before.equals(place) ? place : Place.NONE);
        }
        return places;
    }

    /** Every item that is named, by its number, in ascending order. Those of other queues have none and are left out. */
    final SortedMap<Long, Named> named(List<PendingCall<Q, R>> group) {
        SortedMap<Long, Named> all = new TreeMap<>();
        for (int call = 0; call < group.size(); call++) {
            List<Place> places = places(ids(group.get(call).request()));
            for (int i = 0; i < places.size(); i++) {
                long number = places.get(i).number();
                Named named = new Named(call, i, places.get(i).givenBack());
                all.putIfAbsent(number >= 0 ? number : -1 - all.size(), named);
            }
        }
        return all;
    }

    @Override
    final void addValues(List<PendingCall<Q, R>> group, Map<String, @Nullable Object> values) {
        SortedMap<Long, Named> named = named(group);
        values.put("ids", named.keySet().stream().mapToLong(Long::longValue).toArray());
        values.put("backs", named.values().stream().mapToLong(Named::givenBack).toArray());
        values.put("calls", named.values().stream().mapToLong(Named::call).toArray());
        addHeldValues(group, new ArrayList<>(named.values()), values);
    }

    /** Adds the other parameters of the statement, in the order of the ids. */
    abstract void addHeldValues(List<PendingCall<Q, R>> group, List<Named> named, Map<String, @Nullable Object> values);

    @Override
    final void answerFrom(ResultSet row, List<PendingCall<Q, R>> group) throws SQLException {
        R answer = answer(row);
        Map<Long, Boolean> wrong = new HashMap<>();
        do {
            if (row.getObject("id") != null) {
                wrong.put(row.getLong("id"), row.getBoolean("is_ready"));
            }
        } while (row.next());
        List<PendingCall<Q, R>> right = new ArrayList<>();
        for (PendingCall<Q, R> call : group) {
            QueueException failure = failure(ids(call.request()), wrong);
            if (failure == null) {
                right.add(call);
            } else {
                call.fail(failure);
            }
        }
        if (!right.isEmpty()) {
            succeed(right, answer);
        }
    }

    /** Answers the calls that succeeded. The counts of all go to one whose caller still waits, if there is any. */
    private void succeed(List<PendingCall<Q, R>> right, R answer) {
        PendingCall<Q, R> teller = right.stream()
                .filter(call -> !call.result().isDone())
                .findFirst()
                .orElse(right.get(0));
        right.forEach(call -> call.succeed(answerFor(call.request(), answer, call == teller)));
    }

    /** What the first row says to all. */
    abstract R answer(ResultSet row) throws SQLException;

    /** The result of one of the calls that succeeded; {@code isTeller} for the one that gets the counts of all. */
    R answerFor(Q request, R answer, boolean isTeller) {
        return answer;
    }

    /** What to say of the first of the ids that is wrong; null if none is. */
    private @Nullable QueueException failure(List<ItemId> ids, Map<Long, Boolean> wrong) {
        List<Place> places = wrong.isEmpty() ? List.of() : places(ids);
        for (int i = 0; i < places.size(); i++) {
            ItemId id = ids.get(i);
            long number = places.get(i).number();
            Boolean isReady = number < 0 ? Boolean.FALSE : wrong.get(number);
            if (isReady != null) {
                return isReady
                        ? new QueueException(
                                QueueErrorCode.NOT_LEASED,
                                "item(s) cannot be " + verb + "; '" + id + "' is not marked as leased")
                        : new QueueException(
                                QueueErrorCode.NO_SUCH_ITEM, "invalid storage id; '" + id + "' does not exist");
            }
        }
        return null;
    }
}
