package dev.leasehold.postgres.queue;

import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.spi.PartitionRef;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Items on their way in as they are. */
final class ImportColumns {
    private ImportColumns() {}

    static Map<String, @Nullable Object> values(PartitionRef partition, List<StoredItem> items) {
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("source_ids", texts(items, item -> SourceIds.write(item.sourceId())));
        values.put("leaseds", numbers(items, item -> item.isLeased() ? 1L : 0L));
        values.put("leases_us", numbers(items, item -> micros(item.leaseDeadline())));
        values.put("expires_us", numbers(items, item -> micros(item.expireDeadline())));
        values.put("attempts", numbers(items, item -> (long) item.attempts()));
        values.put("max_attempts", numbers(items, item -> (long) item.maxAttempts()));
        values.put("references", texts(items, StoredItem::reference));
        values.put("encodings", texts(items, StoredItem::encoding));
        values.put("kinds", texts(items, StoredItem::kind));
        values.put("payloads", items.stream().map(StoredItem::payload).toArray(byte[][]::new));
        values.put(
                "lease_us", QueueRows.micros(partition.queue().info().config().leaseTimeout()));
        values.put("expire_us", QueueRows.expiryMicros(partition.queue()));
        return values;
    }

    private static String[] texts(List<StoredItem> items, Function<StoredItem, @Nullable String> column) {
        return items.stream().map(column).toArray(String[]::new);
    }

    private static Long[] numbers(List<StoredItem> items, Function<StoredItem, @Nullable Long> column) {
        return items.stream().map(column).toArray(Long[]::new);
    }

    private static @Nullable Long micros(@Nullable Instant moment) {
        return moment == null ? null : (Long) QueueRows.micros(moment);
    }

    /** The items as they were stored; those left out without an id. */
    static List<StoredItem> read(PartitionRef partition, List<StoredItem> items, ResultSet row) throws SQLException {
        List<StoredItem> stored = new ArrayList<>(items.size());
        for (StoredItem item : items) {
            stored.add(row.getObject("id") == null ? item : stored(partition, item, row));
            row.next();
        }
        return stored;
    }

    private static StoredItem stored(PartitionRef partition, StoredItem item, ResultSet row) throws SQLException {
        return new StoredItem(
                QueueRows.id(partition, row.getLong("id")),
                item.sourceId(),
                item.isLeased(),
                QueueRows.momentOrNull(row, "lease_deadline"),
                QueueRows.moment(row, "expire_deadline"),
                QueueRows.moment(row, "created_at"),
                null,
                item.attempts(),
                item.maxAttempts(),
                item.reference(),
                item.encoding(),
                item.kind(),
                item.payload());
    }
}
