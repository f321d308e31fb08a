package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.PendingCall;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.StoreClock;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.When;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.spi.PartitionRef;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Batched produces of one partition: one insert for the items of all calls, in their order. */
final class ProduceStatement extends PartitionStatement<List<NewItem>, List<ItemId>> {
    private static final int MOST_CALLS = 1000;
    private static final int MOST_ITEMS = 5000;
    private static final long MOST_BYTES = 8_000_000;

    ProduceStatement(Sql sql, PartitionRef partition, StoreClock clock) {
        super(sql, partition, clock);
    }

    @Override
    public int maxGroup() {
        return MOST_CALLS;
    }

    @Override
    public Predicate<List<NewItem>> admission() {
        long[] sums = new long[2];
        return items -> {
            sums[0] += items.size();
            sums[1] += items.stream().mapToLong(NewItem::weight).sum();
            return sums[0] <= MOST_ITEMS && sums[1] <= MOST_BYTES;
        };
    }

    @Override
    void addValues(List<PendingCall<List<NewItem>, List<ItemId>>> group, Map<String, @Nullable Object> values) {
        List<NewItem> items = group.size() == 1 ? group.get(0).request() : all(group);
        values.putAll(columns(items));
        values.put("expire_us", QueueRows.expiryMicros(partition.queue()));
    }

    private static List<NewItem> all(List<PendingCall<List<NewItem>, List<ItemId>>> group) {
        return group.stream().flatMap(call -> call.request().stream()).toList();
    }

    /** Items as arrays, one per column; none for a column in which no item has anything. */
    private static Map<String, @Nullable Object> columns(List<NewItem> items) {
        Map<String, @Nullable Object> columns = new HashMap<>();
        columns.put("payloads", items.stream().map(NewItem::payload).toArray(byte[][]::new));
        columns.put("references", texts(items, NewItem::reference));
        columns.put("encodings", texts(items, NewItem::encoding));
        columns.put("kinds", texts(items, NewItem::kind));
        boolean isAllNow = items.stream().allMatch(item -> item.when() instanceof When.Now);
        List<When> whens = items.stream().map(NewItem::when).toList();
        columns.put("ats_us", isAllNow ? null : ScheduleColumns.ats(whens));
        columns.put("delays_us", isAllNow ? null : ScheduleColumns.delays(whens));
        columns.put("lenients", isAllNow ? null : ScheduleColumns.lenients(whens));
        return columns;
    }

    private static String @Nullable [] texts(List<NewItem> items, Function<NewItem, String> text) {
        return items.stream().allMatch(item -> text.apply(item).isEmpty())
                ? null
                : items.stream().map(text).toArray(String[]::new);
    }

    @Override
    void answerFrom(ResultSet row, List<PendingCall<List<NewItem>, List<ItemId>>> group) throws SQLException {
        for (PendingCall<List<NewItem>, List<ItemId>> call : group) {
            int size = call.request().size();
            List<ItemId> ids = new ArrayList<>(size);
            for (int i = 0; i < size; i++) {
                ids.add(QueueRows.id(partition, row.getLong("id")));
                row.next();
            }
            call.succeed(ids);
        }
    }
}
