package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.PendingCall;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.StoreClock;
import dev.leasehold.queue.spi.PartitionRef;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A statement that is never batched: its request is the map of its parameters. */
final class UnbatchedStatement<R> extends PartitionStatement<Map<String, @Nullable Object>, R> {
    private final Reader<R> reader;
    private final Consumer<R> unwanted;

    UnbatchedStatement(Sql sql, PartitionRef partition, StoreClock clock, Reader<R> reader) {
        this(sql, partition, clock, reader, value -> {});
    }

    /** @param unwanted receives the result of a call whose caller had left */
    UnbatchedStatement(Sql sql, PartitionRef partition, StoreClock clock, Reader<R> reader, Consumer<R> unwanted) {
        super(sql, partition, clock);
        this.reader = reader;
        this.unwanted = unwanted;
    }

    /** Makes an answer of rows; the first is the current one. */
    interface Reader<R> {
        R read(ResultSet row) throws SQLException;
    }

    @Override
    void addValues(List<PendingCall<Map<String, @Nullable Object>, R>> group, Map<String, @Nullable Object> values) {
        values.putAll(group.get(0).request());
    }

    @Override
    void answerFrom(ResultSet row, List<PendingCall<Map<String, @Nullable Object>, R>> group) throws SQLException {
        group.get(0).succeed(reader.read(row));
    }

    @Override
    public void onAbandoned(Map<String, @Nullable Object> request, R value) {
        unwanted.accept(value);
    }
}
