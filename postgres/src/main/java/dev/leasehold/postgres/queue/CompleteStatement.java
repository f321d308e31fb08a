package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.PendingCall;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.StoreClock;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.spi.PartitionRef;
import java.sql.ResultSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Batched completions of one partition: optimistic at first, then with the reason why each wrong id is wrong. */
final class CompleteStatement extends LeasedItemsStatement<List<ItemId>, Boolean> {
    private final Sql optimistic;

    /** @param withReasons finds out which ids are wrong; {@code optimistic} does all or fails */
    CompleteStatement(Sql withReasons, Sql optimistic, PartitionRef partition, StoreClock clock) {
        super("completed", withReasons, partition, clock);
        this.optimistic = optimistic;
    }

    @Override
    public Sql sql(List<PendingCall<List<ItemId>, Boolean>> group) {
        return PendingCall.isRepeatedIn(group) ? super.sql(group) : optimistic;
    }

    @Override
    List<ItemId> ids(List<ItemId> request) {
        return request;
    }

    @Override
    void addHeldValues(
            List<PendingCall<List<ItemId>, Boolean>> group, List<Named> named, Map<String, @Nullable Object> values) {}

    @Override
    Boolean answer(ResultSet row) {
        return true;
    }
}
