package dev.leasehold.postgres.lock;

import dev.leasehold.postgres.internal.BatchedStatement;
import dev.leasehold.postgres.internal.PendingCall;
import dev.leasehold.postgres.internal.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A group of texts, sent as one array; the result is a row count. For waiters, notifications and the sweep. */
final class RowCountStatement implements BatchedStatement<String, Long> {
    /** Stands for all: the statement gets null in the place of texts. */
    static final String ALL = "";

    private static final int MAX_GROUP = 1000;

    private final Sql sql;
    private final String parameter;
    private final Supplier<Map<String, @Nullable Object>> others;
    private final boolean isHint;

    /** @param isHint whether it is not retried */
    RowCountStatement(Sql sql, String parameter, Supplier<Map<String, @Nullable Object>> others, boolean isHint) {
        this.sql = sql;
        this.parameter = parameter;
        this.others = others;
        this.isHint = isHint;
    }

    @Override
    public boolean isHint() {
        return isHint;
    }

    @Override
    public int maxGroup() {
        return MAX_GROUP;
    }

    @Override
    public Sql sql(List<PendingCall<String, Long>> group) {
        return sql;
    }

    @Override
    public Map<String, @Nullable Object> values(List<PendingCall<String, Long>> group) {
        Map<String, @Nullable Object> values = new HashMap<>(others.get());
        boolean all = group.stream().anyMatch(call -> call.request().equals(ALL));
        values.put(
                parameter,
                all ? null : group.stream().map(PendingCall::request).distinct().toArray(String[]::new));
        return values;
    }

    @Override
    public void answer(ResultSet row, List<PendingCall<String, Long>> group, List<PendingCall<String, Long>> busy)
            throws SQLException {
        long rows = row.next() ? row.getLong(1) : 0;
        group.forEach(call -> call.succeed(rows));
    }
}
