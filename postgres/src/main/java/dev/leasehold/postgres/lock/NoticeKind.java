package dev.leasehold.postgres.lock;

import dev.leasehold.postgres.internal.Call;
import dev.leasehold.postgres.internal.Kind;
import dev.leasehold.postgres.internal.Sql;
import java.sql.ResultSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A group of texts that the database is told and has no answer to: keys to wait for, keys to sweep. */
final class NoticeKind implements Kind<String, Boolean> {
    /** Stands for no text in particular: the statement is given null, and means everything. */
    static final String ALL = "";

    private static final int MAX_GROUP = 1000;

    private final Sql sql;
    private final String parameter;
    private final Supplier<Map<String, @Nullable Object>> others;

    NoticeKind(Sql sql, String parameter, Supplier<Map<String, @Nullable Object>> others) {
        this.sql = sql;
        this.parameter = parameter;
        this.others = others;
    }

    @Override
    public int maxGroup() {
        return MAX_GROUP;
    }

    @Override
    public Sql sql(List<Call<String, Boolean>> group) {
        return sql;
    }

    @Override
    public Map<String, @Nullable Object> values(List<Call<String, Boolean>> group) {
        Map<String, @Nullable Object> values = new HashMap<>(others.get());
        boolean all = group.stream().anyMatch(call -> call.request().equals(ALL));
        values.put(
                parameter,
                all ? null : group.stream().map(Call::request).distinct().toArray(String[]::new));
        return values;
    }

    @Override
    public void answer(ResultSet row, List<Call<String, Boolean>> group, List<Call<String, Boolean>> busy) {
        group.forEach(call -> call.succeed(true));
    }
}
