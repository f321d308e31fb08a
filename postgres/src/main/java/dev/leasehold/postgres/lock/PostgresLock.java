package dev.leasehold.postgres.lock;

import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockEvent.Reason;
import dev.leasehold.lock.LockEvent.Type;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockLostException;
import dev.leasehold.lock.Ttl;
import dev.leasehold.lock.spi.Grant;
import dev.leasehold.lock.spi.Lease;
import dev.leasehold.lock.spi.LeaseRuntime;
import dev.leasehold.postgres.internal.PostgresErrors;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A held lock that can take part in the caller's own transaction. */
public final class PostgresLock extends Lease {
    private static final String SERIALIZATION_FAILURE = "40001";

    private final LockEngine engine;

    PostgresLock(Grant grant, LeaseRuntime runtime, LockEngine engine) {
        super(grant, runtime);
        this.engine = engine;
    }

    /**
     * Makes the caller's transaction commit only if this lock is still held, and keeps everybody else from taking it until that
     * transaction ends, even if its lease ends before. For data in the same database this is true mutual exclusion.
     *
     * <p>One round trip. Renewal goes on meanwhile. Works under every isolation level; under REPEATABLE READ and SERIALIZABLE call
     * it first, because it sees the transaction's snapshot. Release the lock after the transaction has ended, or with
     * {@link #releaseIn}: an ordinary release waits for the guard to end.
     *
     * @throws LockLostException if the lock is no longer held; the transaction is then doomed: it can only roll back
     * @throws LockException if it is held, but the transaction's snapshot is older than its last change; doomed as well
     */
    public void guard(Connection connection) {
        long start = System.nanoTime();
        checkTransaction(connection, "guard");
        boolean guarded = isGuarded(connection);
        runtime().events().tell(Type.GUARD, guarded, key(), lockId(), Reason.NOT_FOUND, start);
        if (!guarded) {
            doom(connection);
            throw whyNot();
        }
    }

    /**
     * Commits the caller's transaction if this lock is still held, and has been since it was acquired. It is {@link #guard} and
     * commit in one message: as safe for what the transaction has read and written, and without a round trip of its own. But
     * nobody is kept from taking a lock whose lease ends before that, and then the work was in vain.
     *
     * @throws LockLostException if the lock is no longer held; nothing was committed, the transaction can only roll back
     * @throws LockException if it is held, but the transaction's snapshot is older than its last change; the same
     * @throws SQLException if the commit failed, as from {@link Connection#commit()}
     */
    public void commitGuarded(Connection connection) throws SQLException {
        long start = System.nanoTime();
        checkTransaction(connection, "commitGuarded");
        boolean committed = isCommitted(connection);
        runtime().events().tell(Type.GUARD, committed, key(), lockId(), Reason.NOT_FOUND, start);
        if (!committed) {
            throw whyNot();
        }
    }

    private boolean isCommitted(Connection connection) throws SQLException {
        try (PreparedStatement statement = engine.commitGuarded.prepare(connection, values())) {
            statement.execute();
            return true;
        } catch (SQLException e) {
            if (PostgresErrors.isTooHasty(e) || (isSerializationFailure(e) && !isInStore())) {
                return false;
            }
            throw e;
        }
    }

    private boolean isGuarded(Connection connection) {
        try (PreparedStatement statement = engine.guard.prepare(connection, values());
                ResultSet row = statement.executeQuery()) {
            return row.next() && row.getBoolean("live");
        } catch (SQLException e) {
            if (isSerializationFailure(e)) {
                return false;
            }
            throw LockFailures.map(e);
        }
    }

    private static boolean isSerializationFailure(SQLException e) {
        return SERIALIZATION_FAILURE.equals(e.getSQLState());
    }

    /** Asks outside of the caller's transaction. */
    private boolean isInStore() {
        return runtime().store().blocking().lookup(lockId()).isPresent();
    }

    /** Lost, or only too new for the transaction's snapshot: the store knows, outside of that transaction. */
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
     * Gives the lock back when the caller's transaction commits, not before; true if it was held. From here on this handle neither
     * renews nor releases. If the transaction rolls back, {@link #close()} gives the lock back.
     *
     * @throws LockException if the statement failed
     */
    public boolean releaseIn(Connection connection) {
        long start = System.nanoTime();
        checkTransaction(connection, "releaseIn");
        if (!endElsewhere(this::giveBackAfterRollback)) {
            return false;
        }
        Map<String, @Nullable Object> values = values();
        values.put("channel", engine.channel());
        try (PreparedStatement statement = engine.releaseIn.prepare(connection, values);
                ResultSet row = statement.executeQuery()) {
            boolean released = row.next();
            runtime().events().tell(Type.RELEASE, released, key(), lockId(), Reason.NOT_FOUND, start);
            return released;
        } catch (SQLException e) {
            throw LockFailures.map(e);
        }
    }

    private void giveBackAfterRollback() {
        var unused =
                engine.giveBack(ReleaseKind.Wish.release(lockId()), Ttl.DEFAULT); // logs its failures and tries again
    }

    private Map<String, @Nullable Object> values() {
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("key", key().value());
        values.put("lock_id", lockId().value());
        values.put("now", engine.config().clock().now());
        return values;
    }

    private static void checkTransaction(Connection connection, String what) {
        try {
            if (connection.getAutoCommit()) {
                throw LockException.invalidArgument(
                        what
                                + " needs a transaction, but the connection commits by itself: call setAutoCommit(false) first");
            }
        } catch (SQLException e) {
            throw LockFailures.map(e);
        }
    }

    /** Fails a statement in the transaction, so that it cannot commit whatever the caller does. */
    private void doom(Connection connection) {
        try (PreparedStatement statement = engine.guardLost.prepare(connection, Map.of())) {
            statement.execute();
        } catch (SQLException expected) {
            return;
        }
        throw new IllegalStateException("a statement that always fails has not failed");
    }
}
