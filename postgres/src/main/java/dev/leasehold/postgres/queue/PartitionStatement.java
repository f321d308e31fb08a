package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.BatchedStatement;
import dev.leasehold.postgres.internal.PendingCall;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.StoreClock;
import dev.leasehold.queue.internal.QueueAwait;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.StaleQueueException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A statement on one partition, for one version of its queue. It returns no row if that is not the current version. */
abstract class PartitionStatement<Q, R> implements BatchedStatement<Q, R> {
    private final Sql sql;
    private final StoreClock clock;
    protected final PartitionRef partition;

    PartitionStatement(Sql sql, PartitionRef partition, StoreClock clock) {
        this.sql = sql;
        this.partition = partition;
        this.clock = clock;
    }

    @Override
    public Sql sql(List<PendingCall<Q, R>> group) {
        return sql;
    }

    @Override
    public int maxGroup() {
        return 1;
    }

    @Override
    public final Map<String, @Nullable Object> values(List<PendingCall<Q, R>> group) {
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("now", clock.now());
        values.put("queue", partition.queue().name());
        values.put("version", partition.queue().version());
        values.put("uid", partition.queue().uid());
        addValues(group, values);
        return values;
    }

    abstract void addValues(List<PendingCall<Q, R>> group, Map<String, @Nullable Object> values);

    @Override
    public final void answer(ResultSet row, List<PendingCall<Q, R>> group, List<PendingCall<Q, R>> busy)
            throws SQLException {
        if (row.next()) {
            answerFrom(row, group);
        } else {
            StaleQueueException stale = new StaleQueueException(partition);
            group.forEach(call -> call.fail(stale));
        }
    }

    /** Answers the calls; {@code row} is at the first. */
    abstract void answerFrom(ResultSet row, List<PendingCall<Q, R>> group) throws SQLException;

    /** Runs one call on the caller's connection, and so in the caller's transaction. */
    final R runAlone(Connection connection, Q request) throws SQLException {
        PendingCall<Q, R> call = new PendingCall<>(this, request);
        List<PendingCall<Q, R>> group = List.of(call);
        try (PreparedStatement statement = sql.prepare(connection, values(group));
                ResultSet rows = statement.executeQuery()) {
            answer(rows, group, new ArrayList<>());
        }
        return QueueAwait.on(call.result());
    }
}
