package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.PendingCall;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.StoreClock;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.spi.PartitionRef;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Batched lease extensions of one partition. */
final class ExtendStatement extends LeasedItemsStatement<ExtendStatement.Request, Instant> {
    ExtendStatement(Sql sql, PartitionRef partition, StoreClock clock) {
        super("extended", sql, partition, clock);
    }

    /** One extension. */
    record Request(List<ItemId> ids, Duration timeout) {}

    @Override
    List<ItemId> ids(Request request) {
        return request.ids();
    }

    @Override
    void addHeldValues(
            List<PendingCall<Request, Instant>> group, List<Named> named, Map<String, @Nullable Object> values) {
        values.put(
                "timeouts_us",
                named.stream()
                        .mapToLong(item -> QueueRows.micros(
                                group.get(item.call()).request().timeout()))
                        .toArray());
    }

    @Override
    Instant answer(ResultSet row) throws SQLException {
        return Instant.EPOCH.plus(row.getLong("now_us"), ChronoUnit.MICROS);
    }

    @Override
    Instant answerFor(Request request, Instant now, boolean first) {
        return now.plus(QueueRows.micros(request.timeout()), ChronoUnit.MICROS);
    }
}
