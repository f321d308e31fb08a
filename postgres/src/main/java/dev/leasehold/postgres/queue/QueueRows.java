package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.Rows;
import dev.leasehold.queue.ItemId;
import dev.leasehold.queue.LeasedItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.StoredItem;
import dev.leasehold.queue.internal.Ksuid;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.QueueRecord;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows as what they stand for, and values as rows want them. */
final class QueueRows {
    private static final Instant LEAST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant GREATEST = Instant.parse("9999-12-31T23:59:59Z");

    private QueueRows() {}

    static ItemId id(PartitionRef partition, long number) {
        return new ItemId(Ksuid.encode(partition.queue().uid(), partition.number(), number));
    }

    /** The number of an item in its partition; -1, which no item has, if the id is of another queue or partition. */
    static long number(PartitionRef partition, ItemId id) {
        return Ksuid.number(id.value(), partition.queue().uid(), partition.number());
    }

    static LeasedItem leased(PartitionRef partition, ResultSet row) throws SQLException {
        return new LeasedItem(
                id(partition, row.getLong("id")),
                row.getInt("attempts"),
                moment(row, "lease_deadline"),
                Rows.text(row, "reference"),
                Rows.text(row, "encoding"),
                Rows.text(row, "kind"),
                bytes(row, "payload"));
    }

    static StoredItem stored(PartitionRef partition, ResultSet row) throws SQLException {
        return new StoredItem(
                id(partition, row.getLong("id")),
                SourceIds.read(row.getString("source_id")),
                row.getBoolean("is_leased"),
                momentOrNull(row, "lease_deadline"),
                moment(row, "expire_deadline"),
                moment(row, "created_at"),
                momentOrNull(row, "enqueue_at"),
                row.getInt("attempts"),
                row.getInt("max_attempts"),
                Rows.text(row, "reference"),
                Rows.text(row, "encoding"),
                Rows.text(row, "kind"),
                bytes(row, "payload"));
    }

    static QueueRecord queue(ResultSet row) throws SQLException {
        QueueConfig config = new QueueConfig(
                Rows.text(row, "name"),
                Rows.text(row, "namespace"),
                Duration.ofNanos(row.getLong("lease_timeout_ns")),
                Duration.ofNanos(row.getLong("expire_timeout_ns")),
                row.getInt("max_attempts"),
                Rows.text(row, "dead_queue"),
                Rows.text(row, "reference"),
                row.getInt("requested_partitions"));
        QueueInfo info = new QueueInfo(config, moment(row, "created_at"), moment(row, "updated_at"));
        return new QueueRecord(info, row.getLong("uid"), row.getLong("version"), stores(row));
    }

    /** The stores of the partitions of a queue. */
    static List<String> stores(ResultSet row) throws SQLException {
        return List.of((String[]) row.getArray("partition_stores").getArray());
    }

    static Instant moment(ResultSet row, String column) throws SQLException {
        Instant moment = momentOrNull(row, column);
        if (moment == null) {
            throw new SQLException("column " + column + " is null");
        }
        return moment;
    }

    static @Nullable Instant momentOrNull(ResultSet row, String column) throws SQLException {
        OffsetDateTime moment = row.getObject(column, OffsetDateTime.class);
        return moment == null ? null : moment.toInstant();
    }

    private static byte[] bytes(ResultSet row, String column) throws SQLException {
        byte[] bytes = row.getBytes(column);
        return bytes == null ? new byte[0] : bytes;
    }

    /** How long until something; negative if it is past, null if the column is. */
    static @Nullable Duration until(ResultSet row, String column) throws SQLException {
        long micros = row.getLong(column);
        return row.wasNull() ? null : Duration.of(Math.max(0, micros), ChronoUnit.MICROS);
    }

    static long micros(Duration duration) {
        Duration most = Duration.between(LEAST, GREATEST);
        Duration bounded = duration.compareTo(most) > 0 ? most : duration.isNegative() ? Duration.ZERO : duration;
        return bounded.toSeconds() * 1_000_000 + bounded.toNanosPart() / 1000;
    }

    /** Moments that PostgreSQL cannot hold become the nearest that make sense. */
    static long micros(Instant moment) {
        Instant bounded = moment.isBefore(LEAST) ? LEAST : moment.isAfter(GREATEST) ? GREATEST : moment;
        return bounded.getEpochSecond() * 1_000_000 + bounded.getNano() / 1000; // MICROS.between ends in 2262
    }
}
