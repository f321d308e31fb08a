package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.Call;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.StoreClock;
import dev.leasehold.queue.ItemId;
import dev.leasehold.queue.spi.PartitionRef;
import java.sql.ResultSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Completions of one partition that travel together. */
final class CompleteCall extends HeldCall<List<ItemId>, Boolean> {
    CompleteCall(Sql sql, PartitionRef partition, StoreClock clock) {
        super("completed", sql, partition, clock);
    }

    @Override
    List<ItemId> ids(List<ItemId> request) {
        return request;
    }

    @Override
    void addHeldValues(
            List<Call<List<ItemId>, Boolean>> group, List<Named> named, Map<String, @Nullable Object> values) {}

    @Override
    Boolean answer(ResultSet row) {
        return true;
    }
}
