package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.BatchedStatement;
import dev.leasehold.postgres.internal.GroupCommit;
import dev.leasehold.postgres.internal.PendingCall;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.spi.Futures;
import dev.leasehold.spi.Timer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Waits for callers' transactions to end, in order to wake consumers when their items are there.
 *
 * <p>A notification inside the caller's transaction would come of itself, but would make the caller's commit wait for everybody
 * else's. So while there are open ones, the database is asked for them: after 2 ms, then less and less often, up to 100 ms.
 */
final class TransactionWatch implements BatchedStatement<Set<Long>, Map<Long, Boolean>> {
    private static final long FIRST_NANOS = Duration.ofMillis(2).toNanos();
    private static final long LONGEST_NANOS = Duration.ofMillis(100).toNanos();

    private final Sql sql;
    private final GroupCommit groups;
    private final Timer timer;
    private final Map<Long, Runnable> open = new HashMap<>();
    private boolean asking;
    private long pauseNanos;

    TransactionWatch(QueueTables tables, GroupCommit groups, Timer timer) {
        this.sql = Sql.load("queue/transaction_outcomes", tables.placeholders());
        this.groups = groups;
        this.timer = timer;
    }

    /** Runs {@code onCommit} when the transaction has been committed; never if it is rolled back. */
    void onCommit(long xid, Runnable onCommit) {
        synchronized (this) {
            open.merge(xid, onCommit, (first, second) -> () -> {
                first.run();
                second.run();
            });
            pauseNanos = FIRST_NANOS;
            if (asking) {
                return;
            }
            asking = true;
        }
        timer.after(FIRST_NANOS, this::ask);
    }

    private void ask() {
        Set<Long> xids;
        synchronized (this) {
            xids = Set.copyOf(open.keySet());
            asking = !xids.isEmpty();
        }
        if (!xids.isEmpty()) {
            PendingCall<Set<Long>, Map<Long, Boolean>> call = new PendingCall<>(this, xids);
            groups.send(call, false);
            Futures.whenDone(call.result(), (fates, failure) -> {
                try {
                    if (fates != null) {
                        settle(fates);
                    }
                } finally {
                    timer.after(nextPause(), this::ask);
                }
            });
        }
    }

    private void settle(Map<Long, Boolean> fates) {
        fates.forEach((xid, isCommitted) -> {
            Runnable onCommit;
            synchronized (this) {
                onCommit = open.remove(xid);
            }
            if (isCommitted && onCommit != null) {
                onCommit.run();
            }
        });
    }

    private synchronized long nextPause() {
        long pause = pauseNanos;
        pauseNanos = Math.min(LONGEST_NANOS, pauseNanos * 2);
        return pause;
    }

    @Override
    public Sql sql(List<PendingCall<Set<Long>, Map<Long, Boolean>>> group) {
        return sql;
    }

    @Override
    public int maxGroup() {
        return 1;
    }

    @Override
    public Map<String, @Nullable Object> values(List<PendingCall<Set<Long>, Map<Long, Boolean>>> group) {
        return Map.of(
                "xids",
                group.get(0).request().stream().mapToLong(Long::longValue).toArray());
    }

    @Override
    public void answer(
            ResultSet row,
            List<PendingCall<Set<Long>, Map<Long, Boolean>>> group,
            List<PendingCall<Set<Long>, Map<Long, Boolean>>> busy)
            throws SQLException {
        Map<Long, Boolean> fates = new HashMap<>();
        while (row.next()) {
            fates.put(row.getLong("xid"), row.getBoolean("is_committed"));
        }
        group.get(0).succeed(fates);
    }
}
