package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.PendingCall;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.StoreClock;
import dev.leasehold.queue.admin.QueueLimits;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.spi.ItemStore.Leased;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.Portion;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A lease of some items. It is not batched: the node has combined waiting requests before. */
final class LeaseStatement extends PartitionStatement<LeaseStatement.Request, Leased> {
    private final Consumer<List<LeasedItem>> unwanted;

    /** How many items fitted into the last portions that were cut, doubled; grows again when they fit. */
    private volatile int roomLately = Integer.MAX_VALUE;

    /** Up to so many items, from this one on; {@code isLess} if that is less than was asked for. */
    record Request(int limit, long bytes, long first, boolean isLess) {}

    /** @param unwanted gives back items whose caller has left */
    LeaseStatement(Sql sql, PartitionRef partition, StoreClock clock, Consumer<List<LeasedItem>> unwanted) {
        super(sql, partition, clock);
        this.unwanted = unwanted;
    }

    /**
     * A request for a portion. Where items were so large that portions were cut lately, not many more are asked for: the statement
     * locks what it leaves out.
     */
    Request request(Portion portion, long first) {
        int limit = Math.min(portion.items(), roomLately);
        return new Request(limit, portion.bytes(), first, limit < portion.items());
    }

    @Override
    void addValues(List<PendingCall<Request, Leased>> group, Map<String, @Nullable Object> values) {
        Request request = group.get(0).request();
        values.put("limit", (long) request.limit);
        values.put("bytes", request.bytes);
        values.put("first", request.first);
        values.put(
                "lease_us", QueueRows.micros(partition.queue().info().config().leaseTimeout()));
    }

    @Override
    void answerFrom(ResultSet row, List<PendingCall<Request, Leased>> group) throws SQLException {
        Duration next = QueueRows.until(row, "next_us");
        boolean hasSkipped = row.getBoolean("has_skipped");
        boolean isCut = row.getBoolean("is_cut");
        List<LeasedItem> items = new ArrayList<>();
        do {
            if (row.getObject("id") != null) {
                items.add(QueueRows.leased(partition, row));
            }
        } while (row.next());
        items.sort(Comparator.comparing(LeasedItem::id));
        Request request = group.get(0).request();
        boolean isFull = items.size() == request.limit;
        learn(items.size(), isCut, isFull);
        group.get(0).succeed(new Leased(items, next, hasSkipped, isCut || (request.isLess && isFull)));
    }

    private void learn(int items, boolean isCut, boolean isFull) {
        int room = roomLately;
        if (isCut) {
            roomLately = 2 * items;
        } else if (isFull && room < Integer.MAX_VALUE) {
            roomLately = room > QueueLimits.MAX_BATCH ? Integer.MAX_VALUE : 2 * room;
        }
    }

    @Override
    public void onAbandoned(Request request, Leased leased) {
        if (!leased.items().isEmpty()) {
            unwanted.accept(leased.items());
        }
    }
}
