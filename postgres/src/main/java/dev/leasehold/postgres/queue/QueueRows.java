package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.Rows;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.admin.QueueLimits;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.internal.Ksuid;
import dev.leasehold.queue.internal.Ksuid.Place;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeasedItem;
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

/** Converts rows to API types, and API types to parameters. */
final class QueueRows {
    private static final Instant LEAST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant GREATEST = StoredItem.NEVER;

    /** The shortest timeout that a queue can have. */
    private static final Duration LEAST_TIMEOUT = Duration.ofNanos(1000);

    private static final Duration FOR_EVER = Duration.between(LEAST, GREATEST);

    private QueueRows() {}

    /** The id of an item that was never given back. */
    static ItemId id(PartitionRef partition, long number) {
        return new ItemId(Ksuid.encode(partition.queue().uid(), partition.number(), number));
    }

    private static ItemId id(PartitionRef partition, ResultSet row) throws SQLException {
        return new ItemId(
                Ksuid.encode(partition.queue().uid(), partition.number(), row.getLong("id"), row.getInt("given_back")));
    }

    /** The place of an item in its partition; that of no item if the id is of another queue or partition. */
    static Place place(PartitionRef partition, ItemId id) {
        return Ksuid.place(id.value(), partition.queue().uid(), partition.number());
    }

    /** The number of an item in its partition; -1, which no item has, if the id is of another queue or partition. */
    static long number(PartitionRef partition, ItemId id) {
        return place(partition, id).number();
    }

    static LeasedItem leased(PartitionRef partition, ResultSet row) throws SQLException {
        return new LeasedItem(
                id(partition, row),
                partition.number(),
                row.getInt("attempts"),
                moment(row, "lease_deadline"),
                Rows.text(row, "reference"),
                Rows.text(row, "encoding"),
                Rows.text(row, "kind"),
                bytes(row, "payload"));
    }

    static StoredItem stored(PartitionRef partition, ResultSet row) throws SQLException {
        return new StoredItem(
                id(partition, row),
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

    /**
     * A queue. Numbers beyond the limits, which an earlier build or somebody's own hand may have written, are taken as the nearest
     * within them: a row that could not be read would be in the way of all others, and its queue could not be deleted.
     */
    static QueueRecord queue(ResultSet row) throws SQLException {
        Duration expire = atLeast(LEAST_TIMEOUT, Duration.ofNanos(row.getLong("expire_timeout_ns")));
        Duration lease = atLeast(LEAST_TIMEOUT, Duration.ofNanos(row.getLong("lease_timeout_ns")));
        QueueConfig config = new QueueConfig(
                Rows.text(row, "name"),
                Rows.text(row, "namespace"),
                lease.compareTo(QueueConfig.NEVER) > 0 ? QueueConfig.NEVER : lease,
                atLeast(lease, expire),
                within(0, row.getInt("max_attempts"), QueueLimits.MAX_ATTEMPTS),
                Rows.text(row, "dead_queue"),
                Rows.text(row, "reference"),
                within(1, row.getInt("requested_partitions"), QueueLimits.MAX_PARTITIONS));
        QueueInfo info = new QueueInfo(config, moment(row, "created_at"), moment(row, "updated_at"));
        return new QueueRecord(info, row.getLong("uid"), row.getLong("version"), stores(row));
    }

    private static Duration atLeast(Duration least, Duration given) {
        return given.compareTo(least) < 0 ? least : given;
    }

    private static int within(int least, int given, int most) {
        return Math.max(least, Math.min(given, most));
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

    /** How long items of a queue may stay. For ever is so long that {@code StoredItem.NEVER} comes first. */
    static long expiryMicros(QueueRecord queue) {
        QueueConfig config = queue.info().config();
        return micros(config.expires() ? config.expireTimeout() : FOR_EVER);
    }

    static long micros(Duration duration) {
        Duration bounded =
                duration.compareTo(FOR_EVER) > 0 ? FOR_EVER : duration.isNegative() ? Duration.ZERO : duration;
        return bounded.toSeconds() * 1_000_000 + bounded.toNanosPart() / 1000;
    }

    /** Moments that PostgreSQL cannot hold become the nearest that make sense. */
    static long micros(Instant moment) {
        Instant bounded = moment.isBefore(LEAST) ? LEAST : moment.isAfter(GREATEST) ? GREATEST : moment;
        return bounded.getEpochSecond() * 1_000_000 + bounded.getNano() / 1000; // MICROS.between ends in 2262
    }
}
