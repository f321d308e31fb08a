package dev.leasehold.postgres.lock;

import dev.leasehold.GroupStatistics;
import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.Locks;
import dev.leasehold.lock.admin.LockAdmin;
import dev.leasehold.lock.direct.AsyncLocks;
import dev.leasehold.lock.direct.LocksById;
import dev.leasehold.lock.engine.RenewingLocks;
import dev.leasehold.lock.spi.LockGauges;
import dev.leasehold.postgres.internal.CallTimeout;
import dev.leasehold.postgres.internal.StoreClock;
import dev.leasehold.postgres.internal.UserTransaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Locks on PostgreSQL: {@code PostgresLocks locks = PostgresLocks.create(dataSource)}.
 *
 * <p>One object per JVM and database is enough, and best: concurrent calls are batched into one statement. It borrows at most five
 * connections: two for its statements while there is work ({@link Builder#connections}), one to listen on while somebody waits, and
 * up to two for calls that wait for the advisory lock of a SyncGuard client. Any {@link DataSource} of pgjdbc connections will do, a
 * pool or not, and PgBouncer in transaction mode in between.
 *
 * <p>The tables must exist: see {@link LockSchema}.
 */
public final class PostgresLocks implements Locks, LockGauges, GroupStatistics.Source {
    private final PostgresLockStore store;
    private final RenewingLocks locks;

    private PostgresLocks(PostgresLockStore store, LockOptions options) {
        this.store = store;
        this.locks = new RenewingLocks(store, options, (grant, runtime) -> new PostgresLock(grant, runtime, store));
    }

    /** Locks with all defaults. */
    public static PostgresLocks create(DataSource dataSource) {
        return builder(dataSource).build();
    }

    @Override
    public <T, E extends Exception> T callInTransaction(AcquireRequest request, TransactionWork<T, E> work)
            throws E, SQLException {
        try (HeldLock lock = acquire(request)) {
            return UserTransaction.<T, E>run(store.config().dataSource(), connection -> {
                T result = work.run(connection);
                lock.commitGuarded(connection);
                return result;
            });
        }
    }

    /** Creates the tables of these locks, or brings them up to date. */
    public void migrate() {
        LockSchema.create(store.config().dataSource(), store.config().tables());
    }

    @Override
    public GroupStatistics statistics() {
        return store.statistics();
    }

    @Override
    public HeldLock acquire(AcquireRequest request) {
        return locks.acquire(request);
    }

    @Override
    public Optional<HeldLock> tryAcquire(AcquireRequest request) {
        return locks.tryAcquire(request);
    }

    @Override
    public boolean isLocked(String key) {
        return locks.isLocked(key);
    }

    @Override
    public Optional<LockInfo> getByKey(String key) {
        return locks.getByKey(key);
    }

    @Override
    public AsyncLocks async() {
        return locks.async();
    }

    @Override
    public LocksById byLockId() {
        return locks.byLockId();
    }

    @Override
    public LockAdmin admin() {
        return locks.admin();
    }

    @Override
    public int held() {
        return locks.held();
    }

    @Override
    public int waiting() {
        return locks.waiting();
    }

    @Override
    public void close() {
        locks.close();
    }

    /** For tests. */
    RenewingLocks renewing() {
        return locks;
    }

    /** For tests. */
    PostgresLockStore store() {
        return store;
    }

    /** For what {@link #create} does not say. */
    public static Builder builder(DataSource dataSource) {
        return new Builder(dataSource);
    }

    /** What can be set, with its defaults. */
    public static final class Builder {
        private final DataSource dataSource;
        private LockOptions options = LockOptions.DEFAULT;
        private LockTables tables = LockTables.DEFAULT;
        private @Nullable DataSource listenDataSource;
        private int connections = 2;
        private int groupLimit = Integer.MAX_VALUE;
        private Duration timeout = CallTimeout.DEFAULT;
        private Duration sweepInterval = Duration.ofMinutes(1);
        private boolean cleanupInIsLocked;
        private @Nullable LongSupplier testClock;

        private Builder(DataSource dataSource) {
            this.dataSource = dataSource;
        }

        /** Changes the defaults of requests, the listener, the handlers: {@code options(o -> o.ttl(...))}. */
        public Builder options(UnaryOperator<LockOptions> change) {
            this.options = change.apply(options);
            return this;
        }

        /** The names of the tables. */
        public Builder tables(LockTables tables) {
            this.tables = tables;
            return this;
        }

        /** How many statements may be under way at once. Two keep the database's disk busy; more make groups smaller. */
        public Builder connections(int connections) {
            this.connections = connections;
            return this;
        }

        /** How long a call may take, from when it is made until PostgreSQL has answered; 5 s by default. Waiting for a lock does not count. */
        public Builder timeout(Duration timeout) {
            this.timeout = timeout;
            return this;
        }

        /** Where to get the connection that listens for wake-ups: needed only if the other one leads through a pooler. */
        public Builder listenOn(DataSource direct) {
            this.listenDataSource = direct;
            return this;
        }

        /** Sends every call on its own. For measurements: it is slower under load and no faster without. */
        public Builder withoutGroupCommit() {
            this.groupLimit = 1;
            return this;
        }

        /** How often rows of locks that died unreleased are deleted. Zero: never. */
        public Builder sweepEvery(Duration interval) {
            this.sweepInterval = interval;
            return this;
        }

        /** Whether {@code isLocked} also deletes, in the background, a row that it finds dead for two seconds or more. */
        public Builder cleanupInIsLocked(boolean cleanup) {
            this.cleanupInIsLocked = cleanup;
            return this;
        }

        /** Puts a test's clock, in epoch milliseconds, in the place of the database's. All nodes must use the same one. */
        public Builder testClock(LongSupplier nowMs) {
            this.testClock = nowMs;
            return this;
        }

        /** The locks. Does no I/O. */
        public PostgresLocks build() {
            PostgresLockConfig config = new PostgresLockConfig(
                    dataSource,
                    listenDataSource == null ? dataSource : listenDataSource,
                    tables,
                    connections,
                    groupLimit,
                    timeout,
                    sweepInterval,
                    cleanupInIsLocked,
                    new StoreClock(testClock));
            return new PostgresLocks(new PostgresLockStore(config), options);
        }
    }
}
