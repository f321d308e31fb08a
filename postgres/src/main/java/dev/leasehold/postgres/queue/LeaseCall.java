package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.Call;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.StoreClock;
import dev.leasehold.queue.LeasedItem;
import dev.leasehold.queue.spi.ItemStore.Leased;
import dev.leasehold.queue.spi.PartitionRef;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A lease of some items. Requests that wait together have been put together before. */
final class LeaseCall extends PartitionCall<LeaseCall.Request, Leased> {
    private final Consumer<List<LeasedItem>> unwanted;

    /** Up to so many items, from this one on. */
    record Request(int limit, long first) {}

    /** @param unwanted gives back what was leased for a caller who has gone */
    LeaseCall(Sql sql, PartitionRef partition, StoreClock clock, Consumer<List<LeasedItem>> unwanted) {
        super(sql, partition, clock);
        this.unwanted = unwanted;
    }

    @Override
    void addValues(List<Call<Request, Leased>> group, Map<String, @Nullable Object> values) {
        Request request = group.get(0).request();
        values.put("limit", (long) request.limit);
        values.put("first", request.first);
        values.put(
                "lease_us", QueueRows.micros(partition.queue().info().config().leaseTimeout()));
    }

    @Override
    void answerFrom(ResultSet row, List<Call<Request, Leased>> group) throws SQLException {
        Duration next = QueueRows.until(row, "next_us");
        boolean hasSkipped = row.getBoolean("has_skipped");
        List<LeasedItem> items = new ArrayList<>();
        do {
            if (row.getObject("id") != null) {
                items.add(QueueRows.leased(partition, row));
            }
        } while (row.next());
        items.sort(Comparator.comparing(LeasedItem::id));
        group.get(0).succeed(new Leased(items, next, hasSkipped));
    }

    @Override
    public void unwanted(Request request, Leased leased) {
        if (!leased.items().isEmpty()) {
            unwanted.accept(leased.items());
        }
    }
}
