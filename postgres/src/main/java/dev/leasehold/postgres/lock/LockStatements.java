package dev.leasehold.postgres.lock;

import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.postgres.internal.StoreClock;
import dev.leasehold.spi.LockHash;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The statements of one node on one pair of lock tables: each is the .sql file of its name. */
final class LockStatements {
    final String node = UUID.randomUUID().toString();
    final AcquireStatement acquire;
    final ReleaseStatement release;
    final ExtendStatement extend;
    final RenewByHolderStatement renewHeld;
    final ReleaseByKeyStatement releaseHeld;
    final ReleaseByKeyStatement forceRelease;
    final ListStatement list;
    final LookupStatement byKey;
    final LookupStatement byId;
    final RowCountStatement registerWaiter;
    final RowCountStatement unregisterWaiter;
    final RowCountStatement notifyReleased;
    final RowCountStatement sweep;

    /* In the caller's transaction. */
    final Sql guard;
    final Sql savepoint;
    final Sql commitGuarded;
    final Sql releaseIn;
    final Sql transactionBegan;

    private final StoreClock clock;
    private final LockTables tables;

    /** @param onReleased called with the keys that became free, as in {@link ReleaseStatement} */
    LockStatements(
            PostgresLockConfig config,
            AcquireStatement.UnclaimedGrants unclaimedGrants,
            BiConsumer<List<String>, List<String>> onReleased) {
        clock = config.clock();
        tables = config.tables();
        Sql waitForAdvisoryLock = sql("wait_for_advisory_lock");
        acquire = new AcquireStatement(
                sql("acquire"), sql("reacquire"), sql("delete_expired"), waitForAdvisoryLock, clock, unclaimedGrants);
        release = new ReleaseStatement(
                sql("release"),
                sql("release_with_reason"),
                sql("finished_acquires"),
                waitForAdvisoryLock,
                clock,
                node,
                onReleased);
        extend = new ExtendStatement(sql("extend"), waitForAdvisoryLock, clock);
        renewHeld = new RenewByHolderStatement(sql("renew_held"), waitForAdvisoryLock, clock);
        releaseHeld = new ReleaseByKeyStatement(sql("release_held"), this::shared, onReleased);
        forceRelease = new ReleaseByKeyStatement(sql("force_release"), this::shared, onReleased);
        list = new ListStatement(sql("list"), clock);
        byKey = LookupStatement.byKey(sql("lookup_by_key"), clock);
        byId = LookupStatement.byId(sql("lookup_by_id"), clock);
        registerWaiter = new RowCountStatement(sql("register_waiter"), "keys", this::shared, false);
        unregisterWaiter = new RowCountStatement(sql("unregister_waiter"), "keys", this::shared, false);
        notifyReleased = new RowCountStatement(sql("notify_released"), "payloads", this::shared, true);
        sweep = new RowCountStatement(sql("sweep"), "keys", this::shared, false);
        guard = sql("guard");
        savepoint = sql("savepoint");
        commitGuarded = sql("commit_guarded");
        releaseIn = sql("release_in");
        transactionBegan = sql("transaction_began");
    }

    private Sql sql(String name) {
        return Sql.load("lock/" + name, tables.placeholders());
    }

    /** The parameters that are the same for all calls of this node. */
    private Map<String, @Nullable Object> shared() {
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("now", clock.now());
        values.put("node", node);
        values.put("channel", channel());
        values.put("ttl_ms", WakeUps.REGISTRATION.toMillis());
        return values;
    }

    /** The channel on which releases of these tables are notified. */
    String channel() {
        return "leasehold_" + LockHash.of(tables.locks());
    }

    /** The time for a statement: null, unless a test has its own clock. */
    @Nullable Long now() {
        return clock.now();
    }
}
