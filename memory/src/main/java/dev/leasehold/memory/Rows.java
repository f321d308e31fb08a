package dev.leasehold.memory;

import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The grants, at most one per key, found by key and by lock id. Sweeps itself whenever it has doubled. */
final class Rows {
    private static final int FIRST_SWEEP = 64;

    private final Map<LockKey, Row> byKey = new HashMap<>();
    private final Map<LockId, Row> byId = new HashMap<>();
    private int sweepAt = FIRST_SWEEP;

    @Nullable Row get(LockKey key) {
        return byKey.get(key);
    }

    @Nullable Row get(LockId lockId) {
        return byId.get(lockId);
    }

    /** All grants, live and dead, in no order. */
    Stream<Row> all() {
        return byKey.values().stream();
    }

    /** Sets the grant of its key; whatever was there is gone. */
    void put(Row row, long nowMs) {
        Row before = byKey.put(row.key(), row);
        if (before != null) {
            byId.remove(before.lockId());
        }
        byId.put(row.lockId(), row);
        if (byKey.size() > sweepAt) {
            sweep(nowMs);
        }
    }

    void remove(Row row) {
        byKey.remove(row.key());
        byId.remove(row.lockId());
    }

    private void sweep(long nowMs) {
        List.copyOf(byKey.values()).stream()
                .filter(row -> row.isSweepable(nowMs))
                .forEach(this::remove);
        sweepAt = Math.max(FIRST_SWEEP, 2 * byKey.size());
    }

    int size() {
        return byKey.size();
    }
}
