package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.Call;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.StoreClock;
import dev.leasehold.queue.ItemId;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
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
 * Calls that name leased items: complete, retry, extend. All or nothing each: a wrong id fails its own call and no other.
 *
 * <p>The statement gets the ids of all calls in ascending order, each with the number of its call. Two calls that name the same
 * item do not travel together.
 */
abstract class HeldCall<Q, R> extends PartitionCall<Q, R> {
    private static final int MOST_CALLS = 1000;
    private static final int MOST_IDS = 5000;

    private final String verb;

    /** @param verb what is done to the items, as in "cannot be completed" */
    HeldCall(String verb, Sql sql, PartitionRef partition, StoreClock clock) {
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
        Set<ItemId> taken = new HashSet<>();
        return request -> {
            List<ItemId> ids = ids(request);
            boolean fits = taken.size() + ids.size() <= MOST_IDS && ids.stream().noneMatch(taken::contains);
            taken.addAll(ids);
            return fits;
        };
    }

    /** One of the ids, with where it was named. */
    record Named(int call, int place) {}

    /** Every item that is named, by its number, in ascending order. Those of other queues have none and are left out. */
    final SortedMap<Long, Named> named(List<Call<Q, R>> group) {
        SortedMap<Long, Named> all = new TreeMap<>();
        for (int call = 0; call < group.size(); call++) {
            List<ItemId> ids = ids(group.get(call).request());
            for (int place = 0; place < ids.size(); place++) {
                long number = QueueRows.number(partition, ids.get(place));
                all.putIfAbsent(number >= 0 ? number : -1 - all.size(), new Named(call, place));
            }
        }
        return all;
    }

    @Override
    final void addValues(List<Call<Q, R>> group, Map<String, @Nullable Object> values) {
        SortedMap<Long, Named> named = named(group);
        values.put("ids", named.keySet().stream().mapToLong(Long::longValue).toArray());
        values.put("calls", named.values().stream().mapToLong(Named::call).toArray());
        addHeldValues(group, new ArrayList<>(named.values()), values);
    }

    /** Adds what else the statement wants, in the order of the ids. */
    abstract void addHeldValues(List<Call<Q, R>> group, List<Named> named, Map<String, @Nullable Object> values);

    @Override
    final void answerFrom(ResultSet row, List<Call<Q, R>> group) throws SQLException {
        R answer = answer(row);
        Map<Long, Boolean> wrong = new HashMap<>();
        do {
            if (row.getObject("id") != null) {
                wrong.put(row.getLong("id"), row.getBoolean("is_ready"));
            }
        } while (row.next());
        boolean first = true;
        for (Call<Q, R> call : group) {
            QueueException failure = failure(ids(call.request()), wrong);
            if (failure == null) {
                call.succeed(answerFor(call.request(), answer, first));
                first = false;
            } else {
                call.fail(failure);
            }
        }
    }

    /** What the first row says to all. */
    abstract R answer(ResultSet row) throws SQLException;

    /** What to tell one of the calls that succeeded; {@code first} if it is the first of them. */
    R answerFor(Q request, R answer, boolean first) {
        return answer;
    }

    /** What to say of the first of the ids that is wrong; null if none is. */
    private @Nullable QueueException failure(List<ItemId> ids, Map<Long, Boolean> wrong) {
        for (ItemId id : ids) {
            long number = QueueRows.number(partition, id);
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
