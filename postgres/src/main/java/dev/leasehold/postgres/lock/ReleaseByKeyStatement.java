package dev.leasehold.postgres.lock;

import dev.leasehold.lock.Fence;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.direct.HolderLocks.Release;
import dev.leasehold.postgres.internal.BatchedStatement;
import dev.leasehold.postgres.internal.PendingCall;
import dev.leasehold.postgres.internal.Rows;
import dev.leasehold.postgres.internal.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A group of releases without a lock id: by the holder, or by an operator who knows the fence. One for each key. */
final class ReleaseByKeyStatement implements BatchedStatement<ReleaseByKeyStatement.Request, Release> {
    private static final int MAX_GROUP = 256;

    private final Sql sql;
    private final Supplier<Map<String, @Nullable Object>> others;
    private final BiConsumer<List<String>, List<String>> onReleased;

    /**
     * A release.
     *
     * @param others the parameters that are the same for all
     * @param onReleased is called with the keys that became free, as in {@link ReleaseStatement}
     */
    ReleaseByKeyStatement(
            Sql sql,
            Supplier<Map<String, @Nullable Object>> others,
            BiConsumer<List<String>, List<String>> onReleased) {
        this.sql = sql;
        this.others = others;
        this.onReleased = onReleased;
    }

    /** The grant of a key to end: that of a holder, or that with a fence. */
    record Request(
            LockKey key, @Nullable Holder holder, @Nullable Fence fence) {
        private @Nullable String owner() {
            return holder == null ? null : holder.owner();
        }

        private @Nullable String instanceId() {
            return holder == null ? null : holder.instanceId();
        }

        private @Nullable String fenceText() {
            return fence == null ? null : fence.toString();
        }
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
    public int messageOrder() {
        return 1;
    }

    @Override
    public Predicate<Request> admission() {
        Set<LockKey> keys = new HashSet<>();
        return request -> keys.add(request.key());
    }

    @Override
    public Sql sql(List<PendingCall<Request, Release>> group) {
        return sql;
    }

    @Override
    public Map<String, @Nullable Object> values(List<PendingCall<Request, Release>> group) {
        List<Request> requests = group.stream().map(PendingCall::request).toList();
        Map<String, @Nullable Object> values = new HashMap<>(others.get());
        values.put("keys", requests.stream().map(w -> w.key().value()).toArray(String[]::new));
        values.put("owners", requests.stream().map(Request::owner).toArray(String[]::new));
        values.put("instance_ids", requests.stream().map(Request::instanceId).toArray(String[]::new));
        values.put("fences", requests.stream().map(Request::fenceText).toArray(String[]::new));
        return values;
    }

    @Override
    public void answer(
            ResultSet row, List<PendingCall<Request, Release>> group, List<PendingCall<Request, Release>> busy)
            throws SQLException {
        Map<Integer, String> outcomes = new HashMap<>();
        List<String> quiet = new ArrayList<>();
        List<String> awaited = new ArrayList<>();
        while (row.next()) {
            String outcome = Rows.text(row, "outcome");
            outcomes.put(row.getInt("place") - 1, outcome);
            if (outcome.equals("r")) {
                ReleaseStatement.addReleased(row, quiet, awaited);
            }
        }
        onReleased.accept(quiet, awaited);
        for (int i = 0; i < group.size(); i++) {
            answer(group.get(i), outcomes.getOrDefault(i, "none"), busy);
        }
    }

    private void answer(PendingCall<Request, Release> call, String outcome, List<PendingCall<Request, Release>> busy) {
        switch (outcome) {
            case "r" -> call.succeed(Release.RELEASED);
            case "o" -> call.succeed(Release.HELD_BY_OTHER);
            case "b" -> busy.add(call);
            default -> call.succeed(Release.NOT_HELD);
        }
    }
}
