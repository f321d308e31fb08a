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

/** Completions of one partition that travel together: in haste at first, carefully if that failed. */
final class CompleteCall extends HeldCall<List<ItemId>, Boolean> {
    private final Sql hasty;

    /** @param careful finds out which ids are wrong; {@code hasty} does all or fails */
    CompleteCall(Sql careful, Sql hasty, PartitionRef partition, StoreClock clock) {
        super("completed", careful, partition, clock);
        this.hasty = hasty;
    }

    @Override
    public Sql sql(List<PendingCall<List<ItemId>, Boolean>> group) {
        return PendingCall.isRepeatedIn(group) ? super.sql(group) : hasty;
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
