package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.Call;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.StoreClock;
import dev.leasehold.queue.ItemId;
import dev.leasehold.queue.RetryItem;
import dev.leasehold.queue.spi.ItemStore.Retried;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.StaleQueueException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Retries of one partition that travel together. What they did, taken together, is told to the first that succeeded. */
final class RetryCall extends HeldCall<List<RetryItem>, Retried> {
    private final @Nullable PartitionRef dead;

    RetryCall(Sql sql, PartitionRef partition, @Nullable PartitionRef dead, StoreClock clock) {
        super("retried", sql, partition, clock);
        this.dead = dead;
    }

    @Override
    List<ItemId> ids(List<RetryItem> request) {
        return request.stream().map(RetryItem::id).toList();
    }

    @Override
    void addHeldValues(
            List<Call<List<RetryItem>, Retried>> group, List<Named> named, Map<String, @Nullable Object> values) {
        List<RetryItem> items = named.stream()
                .map(item -> group.get(item.call()).request().get(item.place()))
                .toList();
        values.put("ats_us", Whens.ats(items.stream().map(RetryItem::when).toList()));
        values.put("delays_us", Whens.delays(items.stream().map(RetryItem::when).toList()));
        values.put(
                "deads", items.stream().mapToLong(item -> item.dead() ? 1 : 0).toArray());
        DeadValues.add(values, partition, dead);
    }

    @Override
    Retried answer(ResultSet row) throws SQLException {
        if (dead != null && !row.getBoolean("is_dead_current")) {
            throw new StaleQueueException(dead);
        }
        return new Retried(row.getInt("ready"), row.getInt("dead"), QueueRows.until(row, "next_us"));
    }

    @Override
    Retried answerFor(List<RetryItem> request, Retried all, boolean first) {
        return first ? all : new Retried(0, 0, null);
    }
}
