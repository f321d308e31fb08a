package dev.leasehold.postgres.lock;

import dev.leasehold.lock.LockId;
import dev.leasehold.lock.spi.ExtendResult;
import dev.leasehold.lock.spi.ExtendResult.Extended;
import dev.leasehold.lock.spi.ExtendResult.Gone;
import dev.leasehold.lock.spi.Extension;
import dev.leasehold.postgres.internal.Call;
import dev.leasehold.postgres.internal.Kind;
import dev.leasehold.postgres.internal.Rows;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.StoreClock;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A group of extensions: large, so that all the locks of a JVM renew in one statement. */
final class ExtendKind implements Kind<Extension, ExtendResult> {
    private static final int MAX_GROUP = 2000;

    private final Sql extend;
    private final Sql patientlyExtend;
    private final StoreClock clock;

    /** @param patiently goes before, for groups with a call that was busy before */
    ExtendKind(Sql extend, Sql patiently, StoreClock clock) {
        this.extend = extend;
        this.patientlyExtend = patiently.then(extend);
        this.clock = clock;
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
    public Sql sql(List<Call<Extension, ExtendResult>> group) {
        return Call.isRepeatedIn(group) ? patientlyExtend : extend;
    }

    @Override
    public Map<String, @Nullable Object> values(List<Call<Extension, ExtendResult>> group) {
        Map<LockId, Long> ttls = new LinkedHashMap<>();
        group.forEach(
                call -> ttls.put(call.request().lockId(), call.request().ttl().toMillis()));
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("lock_ids", ttls.keySet().stream().map(LockId::value).toArray(String[]::new));
        values.put("ttls_ms", ttls.values().stream().mapToLong(Long::longValue).toArray());
        values.put(
                "busy_ids",
                Call.repeatedIn(group, extension -> extension.lockId().value()));
        values.put("now", clock.now());
        return values;
    }

    @Override
    public void answer(
            ResultSet row, List<Call<Extension, ExtendResult>> group, List<Call<Extension, ExtendResult>> busy)
            throws SQLException {
        Map<String, @Nullable ExtendResult> outcomes = new HashMap<>();
        while (row.next()) {
            outcomes.put(Rows.text(row, "lock_id"), outcome(row));
        }
        for (Call<Extension, ExtendResult> call : group) {
            ExtendResult result = outcomes.getOrDefault(call.request().lockId().value(), Gone.NOT_FOUND);
            if (result == null) {
                busy.add(call);
            } else {
                call.succeed(result);
            }
        }
    }

    /** Null means that another transaction has the row. */
    private static @Nullable ExtendResult outcome(ResultSet row) throws SQLException {
        return switch (Rows.text(row, "outcome")) {
            case "e" -> new Extended(Rows.instant(row, "expires_at_ms"));
            case "x" -> Gone.EXPIRED;
            default -> null;
        };
    }
}
