package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.StoreClock;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.spi.ItemStore.Swept;
import dev.leasehold.queue.spi.PartitionRef;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of calls on one partition, for one version of its queue: calls of one kind travel together; and where leases of it begin.
 */
final class PartitionCalls {
    private final PartitionRef partition;
    private final Statements statements;
    private final StoreClock clock;
    private final RetryCall.Late late;
    private final Map<String, RetryCall> retries = new ConcurrentHashMap<>();
    final ProduceCall produce;
    final LeaseCall lease;
    final CompleteCall complete;
    final ExtendCall extend;
    final Head head = new Head();

    PartitionCalls(
            PartitionRef partition,
            Statements statements,
            StoreClock clock,
            Consumer<List<LeasedItem>> unwanted,
            RetryCall.Late late) {
        this.partition = partition;
        this.statements = statements;
        this.clock = clock;
        this.late = late;
        produce = new ProduceCall(statements.get("produce", partition), partition, clock);
        lease = new LeaseCall(statements.get("lease", partition), partition, clock, unwanted);
        complete = new CompleteCall(
                statements.get("complete", partition), statements.get("complete_all", partition), partition, clock);
        extend = new ExtendCall(statements.get("extend", partition), partition, clock);
    }

    long version() {
        return partition.queue().version();
    }

    RetryCall retry(@Nullable PartitionRef dead) {
        String key = dead == null ? "" : dead.queue().version() + " " + dead.number();
        return retries.computeIfAbsent(
                key, k -> new RetryCall(statements.get("retry", partition, dead), partition, dead, clock, late));
    }

    <R> OneCall<R> one(String statement, OneCall.Reader<R> reader) {
        return new OneCall<>(statements.get(statement, partition), partition, clock, reader);
    }

    OneCall<Swept> sweep(@Nullable PartitionRef dead, OneCall.Reader<Swept> reader) {
        Sql sql = statements.get("sweep", partition, dead);
        return new OneCall<>(sql, partition, clock, reader, swept -> late.accept(dead, swept));
    }
}
