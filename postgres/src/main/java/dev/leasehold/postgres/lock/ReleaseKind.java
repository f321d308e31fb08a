package dev.leasehold.postgres.lock;

import dev.leasehold.lock.LockId;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.postgres.internal.Call;
import dev.leasehold.postgres.internal.Kind;
import dev.leasehold.postgres.internal.Rows;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.StoreClock;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A group of releases. After the commit, and before the callers know, it tells who may be interested in the keys. */
final class ReleaseKind implements Kind<LockId, ReleaseResult> {
    private static final int MAX_GROUP = 256;

    private final Sql sql;
    private final StoreClock clock;
    private final String node;
    private final String channel;
    private final BiConsumer<List<String>, List<String>> onReleased;

    /** @param onReleased hears which keys became free, as payloads: those nobody else waits for, and those that were notified */
    ReleaseKind(
            Sql sql, StoreClock clock, String node, String channel, BiConsumer<List<String>, List<String>> onReleased) {
        this.sql = sql;
        this.clock = clock;
        this.node = node;
        this.channel = channel;
        this.onReleased = onReleased;
    }

    @Override
    public String busyMessage() {
        return LockFailures.BUSY;
    }

    @Override
    public int maxGroup() {
        return MAX_GROUP;
    }

    @Override
    public Sql sql(List<Call<LockId, ReleaseResult>> group) {
        return sql;
    }

    @Override
    public int place() {
        return 1;
    }

    @Override
    public Map<String, @Nullable Object> values(List<Call<LockId, ReleaseResult>> group) {
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put(
                "lock_ids",
                group.stream().map(call -> call.request().value()).distinct().toArray(String[]::new));
        values.put("node", node);
        values.put("channel", channel);
        values.put("now", clock.now());
        return values;
    }

    @Override
    public void answer(ResultSet row, List<Call<LockId, ReleaseResult>> group, List<Call<LockId, ReleaseResult>> busy)
            throws SQLException {
        Map<String, String> outcomes = new HashMap<>();
        List<String> quiet = new ArrayList<>();
        List<String> notified = new ArrayList<>();
        while (row.next()) {
            String outcome = Rows.text(row, "outcome");
            outcomes.put(Rows.text(row, "lock_id"), outcome);
            if (outcome.equals("r")) {
                (row.getBoolean("awaited") ? notified : quiet).add(Rows.text(row, "payload"));
            }
        }
        onReleased.accept(quiet, notified);
        answer(group, outcomes, busy);
    }

    /** Of several releases of the same grant in one group, the first is the one that did it. */
    private static void answer(
            List<Call<LockId, ReleaseResult>> group,
            Map<String, String> outcomes,
            List<Call<LockId, ReleaseResult>> busy) {
        Set<LockId> done = new HashSet<>();
        for (Call<LockId, ReleaseResult> call : group) {
            switch (outcomes.getOrDefault(call.request().value(), "none")) {
                case "r" -> call.succeed(done.add(call.request()) ? ReleaseResult.RELEASED : ReleaseResult.NOT_FOUND);
                case "x" -> call.succeed(ReleaseResult.EXPIRED);
                case "b" -> busy.add(call);
                default -> call.succeed(ReleaseResult.NOT_FOUND);
            }
        }
    }
}
