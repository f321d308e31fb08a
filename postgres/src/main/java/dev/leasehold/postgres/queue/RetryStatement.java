package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.PendingCall;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.StoreClock;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.RetryItem;
import dev.leasehold.queue.spi.ItemStore.Discarded;
import dev.leasehold.queue.spi.ItemStore.Retried;
import dev.leasehold.queue.spi.ItemStore.Swept;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.StaleQueueException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Batched retries of one partition. One of the calls that succeed returns the counts of all. */
final class RetryStatement extends LeasedItemsStatement<List<RetryItem>, Retried> {
    private static final Retried NOTHING = new Retried(0, 0, Discarded.NOTHING, null);

    private final @Nullable PartitionRef dead;
    private final Late late;

    RetryStatement(Sql sql, PartitionRef partition, @Nullable PartitionRef dead, StoreClock clock, Late late) {
        super("retried", sql, partition, clock);
        this.dead = dead;
        this.late = late;
    }

    /** Receives what a call did after it had failed for its caller. */
    interface Late {
        void accept(@Nullable PartitionRef dead, Swept done);
    }

    @Override
    List<ItemId> ids(List<RetryItem> request) {
        return request.stream().map(RetryItem::id).toList();
    }

    @Override
    void addHeldValues(
            List<PendingCall<List<RetryItem>, Retried>> group,
            List<Named> named,
            Map<String, @Nullable Object> values) {
        List<RetryItem> items = named.stream()
                .map(item -> group.get(item.call()).request().get(item.place()))
                .toList();
        values.put(
                "ats_us",
                ScheduleColumns.ats(items.stream().map(RetryItem::when).toList()));
        values.put(
                "delays_us",
                ScheduleColumns.delays(items.stream().map(RetryItem::when).toList()));
        values.put(
                "deads", items.stream().mapToLong(item -> item.dead() ? 1 : 0).toArray());
        DeadQueueParameters.add(values, partition, dead);
    }

    @Override
    Retried answer(ResultSet row) throws SQLException {
        if (dead != null && !row.getBoolean("is_dead_current")) {
            throw new StaleQueueException(dead);
        }
        return new Retried(row.getInt("ready"), row.getInt("dead"), discarded(row), QueueRows.until(row, "next_us"));
    }

    private Discarded discarded(ResultSet row) throws SQLException {
        int gone = row.getInt("gone");
        int rejected = row.getInt("rejected");
        return dead == null
                ? new Discarded(0, gone - rejected, rejected)
                : Discarded.duplicates(gone - row.getInt("dead"));
    }

    @Override
    Retried answerFor(List<RetryItem> request, Retried all, boolean isTeller) {
        return isTeller ? all : NOTHING;
    }

    @Override
    public void onAbandoned(List<RetryItem> request, Retried done) {
        if (!done.equals(NOTHING)) {
            late.accept(dead, new Swept(done.ready(), done.dead(), done.discarded(), done.nextDue()));
        }
    }
}
