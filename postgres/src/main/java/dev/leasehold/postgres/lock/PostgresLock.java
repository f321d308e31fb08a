package dev.leasehold.postgres.lock;

import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockEvent.Reason;
import dev.leasehold.lock.LockEvent.Type;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockLostException;
import dev.leasehold.lock.engine.LockRuntime;
import dev.leasehold.lock.engine.RenewingLock;
import dev.leasehold.lock.internal.Grant;
import dev.leasehold.postgres.internal.CallerTransaction;
import dev.leasehold.postgres.internal.PostgresErrors;
import dev.leasehold.postgres.internal.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A held lock that can take part in the caller's own transaction. */
public final class PostgresLock extends RenewingLock {
    private static final Logger log = LoggerFactory.getLogger(PostgresLock.class);
    private static final String SERIALIZATION_FAILURE = "40001";

    private final PostgresLockStore store;
    private volatile @Nullable GuardedTransaction guarded;

    PostgresLock(Grant grant, LockRuntime runtime, PostgresLockStore store) {
        super(grant, runtime);
        this.store = store;
    }

    /**
     * Makes the caller's transaction commit only if this lock is still held, and keeps everybody else from taking it until that
     * transaction ends, even if its ttl ends before. For data in the same database this is true mutual exclusion.
     *
     * <p>One round trip. Renewal goes on meanwhile. Works under every isolation level; under REPEATABLE READ and SERIALIZABLE call
     * it first, because it sees the transaction's snapshot. Release the lock after the transaction has ended, or with
     * {@link #releaseIn}: an ordinary release waits for the guard to end. Only in the thread that called this, {@code release} and
     * {@code close} before that end are the same as {@code releaseIn}: the lock is released with the commit. Call it before the
     * first savepoint: a rollback to a savepoint would undo it, so after one it is refused.
     *
     * @throws LockLostException if the lock is no longer held; the transaction was rolled back, and nothing more commits in its place
     * @throws LockException if it is held, but the transaction's snapshot is older than its last change; the same
     */
    @Override
    public void guard(Connection connection) {
        long start = System.nanoTime();
        mustBeAbleToFail(connection, "guard");
        boolean guarded = isGuardedWithoutAutosave(connection);
        runtime().events().tell(Type.GUARD, guarded, key(), lockId(), Reason.NOT_FOUND, start);
        if (!guarded) {
            doom(connection);
            throw whyNot();
        }
    }

    /**
     * Commits the caller's transaction if this lock is still held, and has been since it was acquired. It is {@link #guard} and
     * commit in one message: as safe for what the transaction has read and written, and without a round trip of its own. But
     * others can take a lock whose ttl ends before that, and then the work was in vain.
     *
     * @throws LockLostException if the lock is no longer held; the transaction was rolled back, and nothing more commits in its place
     * @throws LockException if it is held, but the transaction's snapshot is older than its last change; the same
     * @throws SQLException if the commit failed, as from {@link Connection#commit()}
     */
    @Override
    public void commitGuarded(Connection connection) throws SQLException {
        long start = System.nanoTime();
        mustBeAbleToFail(connection, "commitGuarded");
        boolean committed = isCommitted(connection);
        runtime().events().tell(Type.GUARD, committed, key(), lockId(), Reason.NOT_FOUND, start);
        if (!committed) {
            doom(connection);
            throw whyNot();
        }
    }

    private boolean isCommitted(Connection connection) throws SQLException {
        try (PreparedStatement statement = store.statements.commitGuarded.prepare(connection, values())) {
            statement.execute();
            return true;
        } catch (SQLException e) {
            if (PostgresErrors.isOptimisticMiss(e) || (isSerializationFailure(e) && !isInStore())) {
                return false;
            }
            doom(connection);
            throw e;
        }
    }

    /** A savepoint that the driver sets before the guard would look like one of the caller's. */
    private boolean isGuardedWithoutAutosave(Connection connection) {
        try {
            return CallerTransaction.withoutAutosave(connection, () -> isGuarded(connection));
        } catch (SQLException e) {
            throw LockFailures.map(e);
        }
    }

    private boolean isGuarded(Connection connection) {
        try (PreparedStatement statement = store.statements.guard.prepare(connection, values());
                ResultSet row = statement.executeQuery()) {
            if (!row.next() || !row.getBoolean("live")) {
                return false;
            }
            if (!row.getBoolean("is_top_level")) {
                refuseSavepoint(connection);
            }
            guarded = GuardedTransaction.of(connection, row);
            return true;
        } catch (SQLException e) {
            if (isSerializationFailure(e)) {
                return false;
            }
            doom(connection);
            throw LockFailures.map(e);
        }
    }

    /** Other transactions may guard the row too, and then its xmax does not show whether there is a savepoint. */
    private void refuseSavepoint(Connection connection) throws SQLException {
        try (PreparedStatement statement = store.statements.savepoint.prepare(connection, Map.of());
                ResultSet row = statement.executeQuery()) {
            if (row.next() && row.getBoolean("is_open")) {
                doom(connection);
                throw LockException.invalidArgument("guard was called after a savepoint, and a rollback to that would"
                        + " undo it: call guard before the first savepoint of the transaction, and with pgjdbc's"
                        + " autosave=conservative, which sets savepoints before queries, as the first statement");
            }
        }
    }

    private static boolean isSerializationFailure(SQLException e) {
        return SERIALIZATION_FAILURE.equals(e.getSQLState());
    }

    /** Asks outside of the caller's transaction. */
    private boolean isInStore() {
        return runtime().store().blocking().lookup(lockId()).isPresent();
    }

    /** Lost, or changed after the transaction's snapshot: a lookup outside of that transaction finds out. */
    private RuntimeException whyNot() {
        if (isInStore()) {
            return new LockException(
                    LockErrorCode.SERVICE_UNAVAILABLE,
                    "The lock is held, but this transaction's snapshot is from before its last change:"
                            + " repeat the transaction with guard as its first statement",
                    key().value(),
                    null);
        }
        String what = "is no longer held, its lease was until " + expiresAt();
        lost(what, Reason.NOT_FOUND);
        return new LockLostException(key(), fence(), what);
    }

    /**
     * Releases the lock when the caller's transaction commits, not before; true if it was held. From here on this handle neither
     * renews nor releases. If the transaction rolls back, {@link #close()} releases the lock.
     *
     * @throws LockException if the statement failed
     */
    @Override
    public boolean releaseIn(Connection connection) {
        long start = System.nanoTime();
        checkTransaction(connection, "releaseIn");
        if (!endElsewhere(this::giveBackAfterRollback)) {
            return false;
        }
        Map<String, @Nullable Object> values = values();
        values.put("channel", store.statements.channel());
        try (PreparedStatement statement = store.statements.releaseIn.prepare(connection, values);
                ResultSet row = statement.executeQuery()) {
            boolean released = row.next();
            runtime().events().tell(Type.RELEASE, released, key(), lockId(), Reason.NOT_FOUND, start);
            return released;
        } catch (SQLException e) {
            throw LockFailures.map(e);
        }
    }

    @Override
    protected TransactionRelease releaseWithTransaction() {
        GuardedTransaction transaction = guarded;
        if (transaction == null || !transaction.isOpenHere(store.statements.transactionBegan)) {
            return TransactionRelease.NONE;
        }
        try {
            return releaseIn(transaction.connection()) ? TransactionRelease.RELEASED : TransactionRelease.NOT_HELD;
        } catch (LockException e) {
            endElsewhere(this::giveBackAfterRollback); // if the statement was refused before it was sent
            log.debug("event=release_in_failed keyHash={}", key().hash(), e);
            return TransactionRelease.RELEASED; // when that transaction has ended
        }
    }

    /** Retries until the ttl is over, because the transaction may end at any time. */
    private void giveBackAfterRollback() {
        var unused = store.giveBacks.giveBack(
                ReleaseStatement.Request.release(lockId()), ttl()); // logs its failures and tries again
    }

    private Map<String, @Nullable Object> values() {
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("key", key().value());
        values.put("lock_id", lockId().value());
        values.put("now", store.statements.now());
        return values;
    }

    /** A transaction that cannot be guarded does not commit either. */
    private static void mustBeAbleToFail(Connection connection, String what) {
        try {
            checkTransaction(connection, what);
        } catch (LockException e) {
            CallerTransaction.doomUnlessAutoCommit(connection, Sql.piece("lock/guard_lost", Map.of()));
            throw e;
        }
    }

    private static void checkTransaction(Connection connection, String what) {
        try {
            String problem = CallerTransaction.problem(connection, what);
            if (problem != null) {
                throw LockException.invalidArgument(problem);
            }
        } catch (SQLException e) {
            throw LockFailures.map(e);
        }
    }

    private static void doom(Connection connection) {
        CallerTransaction.doom(connection, Sql.piece("lock/guard_lost", Map.of()));
    }
}
