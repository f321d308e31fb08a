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

/** The statements on one partition, for one version of its queue, and the cursor of its leases. Concurrent calls of one statement are batched. */
final class PartitionStatements {
    private final PartitionRef partition;
    private final PartitionSql statements;
    private final StoreClock clock;
    private final RetryStatement.Late late;
    private final Map<String, RetryStatement> retries = new ConcurrentHashMap<>();
    final ProduceStatement produce;
    final LeaseStatement lease;
    final CompleteStatement complete;
    final ExtendStatement extend;
    final LeaseCursor cursor = new LeaseCursor();

    PartitionStatements(
            PartitionRef partition,
            PartitionSql statements,
            StoreClock clock,
            Consumer<List<LeasedItem>> unwanted,
            RetryStatement.Late late) {
        this.partition = partition;
        this.statements = statements;
        this.clock = clock;
        this.late = late;
        produce = new ProduceStatement(statements.get("produce", partition), partition, clock);
        lease = new LeaseStatement(statements.get("lease", partition), partition, clock, unwanted);
        complete = new CompleteStatement(
                statements.get("complete", partition), statements.get("complete_all", partition), partition, clock);
        extend = new ExtendStatement(statements.get("extend", partition), partition, clock);
    }

    long version() {
        return partition.queue().version();
    }

    RetryStatement retry(@Nullable PartitionRef dead) {
        String key = dead == null ? "" : dead.queue().version() + " " + dead.number();
        return retries.computeIfAbsent(
                key, k -> new RetryStatement(statements.get("retry", partition, dead), partition, dead, clock, late));
    }

    <R> UnbatchedStatement<R> one(String statement, UnbatchedStatement.Reader<R> reader) {
        return new UnbatchedStatement<>(statements.get(statement, partition), partition, clock, reader);
    }

    UnbatchedStatement<Swept> sweep(@Nullable PartitionRef dead, UnbatchedStatement.Reader<Swept> reader) {
        Sql sql = statements.get("sweep", partition, dead);
        return new UnbatchedStatement<>(sql, partition, clock, reader, swept -> late.accept(dead, swept));
    }
}
