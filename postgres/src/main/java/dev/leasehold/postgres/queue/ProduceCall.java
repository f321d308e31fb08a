package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.Call;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.StoreClock;
import dev.leasehold.queue.ItemId;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.spi.PartitionRef;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Produces of one partition that travel together: their items one after the other in one insert. */
final class ProduceCall extends PartitionCall<List<NewItem>, List<ItemId>> {
    private static final int MOST_CALLS = 1000;
    private static final int MOST_ITEMS = 5000;
    private static final long MOST_BYTES = 8_000_000;

    ProduceCall(Sql sql, PartitionRef partition, StoreClock clock) {
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
            sums[1] += items.stream().mapToLong(item -> item.payload().length).sum();
            return sums[0] <= MOST_ITEMS && sums[1] <= MOST_BYTES;
        };
    }

    @Override
    void addValues(List<Call<List<NewItem>, List<ItemId>>> group, Map<String, @Nullable Object> values) {
        List<NewItem> items = group.size() == 1 ? group.get(0).request() : all(group);
        values.putAll(columns(items));
        values.put(
                "expire_us", QueueRows.micros(partition.queue().info().config().expireTimeout()));
    }

    private static List<NewItem> all(List<Call<List<NewItem>, List<ItemId>>> group) {
        return group.stream().flatMap(call -> call.request().stream()).toList();
    }

    /** Items as arrays, one per column. */
    static Map<String, Object> columns(List<NewItem> items) {
        return Map.of(
                "references", items.stream().map(NewItem::reference).toArray(String[]::new),
                "encodings", items.stream().map(NewItem::encoding).toArray(String[]::new),
                "kinds", items.stream().map(NewItem::kind).toArray(String[]::new),
                "payloads", items.stream().map(NewItem::payload).toArray(byte[][]::new),
                "ats_us", Whens.ats(items.stream().map(NewItem::when).toList()),
                "delays_us", Whens.delays(items.stream().map(NewItem::when).toList()));
    }

    @Override
    void answerFrom(ResultSet row, List<Call<List<NewItem>, List<ItemId>>> group) throws SQLException {
        for (Call<List<NewItem>, List<ItemId>> call : group) {
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
