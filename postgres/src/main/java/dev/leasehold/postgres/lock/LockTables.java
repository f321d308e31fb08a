package dev.leasehold.postgres.lock;

import dev.leasehold.lock.Fence;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.direct.HolderLocks;
import dev.leasehold.lock.spi.Liveness;
import dev.leasehold.postgres.internal.Lane;
import dev.leasehold.postgres.internal.Sql;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The names of the lock tables. Both are checked and quoted; they are found through the connection's search path.
 *
 * @param locks one row per held lock
 * @param fences one counter per key, for ever; never the same table as {@code locks}
 */
public record LockTables(String locks, String fences) {
    private static final Pattern IDENTIFIER = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");

    /** So that the names of the indexes, which contain the table's, stay within PostgreSQL's 63 bytes. */
    private static final int MAX_LENGTH = 51;

    /** How many dead locks one sweep deletes. */
    static final long SWEEP_LIMIT = 1000;

    /** How the name of the unique index on lock ids ends. */
    static final String LOCK_ID_INDEX = "_lock_id";

    /** SyncGuard's names. */
    public static final LockTables DEFAULT = new LockTables("syncguard_locks", "syncguard_fence_counters");

    public LockTables {
        check(locks, "Invalid table name - must be a valid SQL identifier");
        check(fences, "Invalid fence table name - must be a valid SQL identifier");
        if (locks.equals(fences) || fences.equals(waiters(locks))) {
            throw LockException.invalidArgument(
                    "Fence counter table must differ from lock table to prevent accidental deletion");
        }
    }

    static void check(String name, String message) {
        if (!IDENTIFIER.matcher(name).matches()) {
            throw LockException.invalidArgument(message);
        }
        if (name.length() > MAX_LENGTH) {
            throw LockException.invalidArgument(
                    message + " of at most " + MAX_LENGTH + " characters, got " + name.length());
        }
    }

    /** What the placeholders of the .sql files stand for. */
    Map<String, String> placeholders() {
        Map<String, String> all = new HashMap<>(constants());
        all.putAll(tableNames());
        all.put("waiting_node", Sql.piece("lock/waiting_node", all));
        all.put("release", Sql.piece("lock/release", all));
        return all;
    }

    private static Map<String, String> constants() {
        return Map.of(
                "clock", "floor(extract(epoch from clock_timestamp()) * 1000)::bigint",
                "lock_timeout", Lane.lockTimeout(),
                "tolerance", Long.toString(Liveness.TOLERANCE_MS),
                "sweep_after", Long.toString(Liveness.SWEEP_AFTER_MS),
                "sweep_limit", Long.toString(SWEEP_LIMIT),
                "fence_max", Long.toString(Fence.MAX),
                "max_lease", Long.toString(HolderLocks.MAX_LEASE.toMillis()));
    }

    /** The names by the default ones, which the versioned .sql files contain. */
    Map<String, String> insteadOfDefaults() {
        Map<String, String> own = tableNames();
        return DEFAULT.tableNames().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getValue, name -> Objects.requireNonNull(own.get(name.getKey()))));
    }

    private Map<String, String> tableNames() {
        return Map.of(
                "locks", quoted(locks),
                "fences", quoted(fences),
                "waiters", quoted(waiters(locks)),
                "idx_lock_id", quoted("idx_" + locks + LOCK_ID_INDEX),
                "idx_key", quoted("idx_" + locks + "_key"),
                "idx_expires", quoted("idx_" + locks + "_expires"));
    }

    /** The table beside {@code locks} that says who waits. */
    private static String waiters(String locks) {
        return locks + "_waiters";
    }

    static String quoted(String identifier) {
        return '"' + identifier + '"';
    }
}
