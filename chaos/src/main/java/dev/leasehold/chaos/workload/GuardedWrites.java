package dev.leasehold.chaos.workload;

import dev.leasehold.chaos.history.Facts;
import dev.leasehold.chaos.history.ItemFacts;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.Recorder;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockLostException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import java.util.Set;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.AutoSave;

/** The ways to write a set in a transaction that is guarded by its lock, under every isolation level. */
final class GuardedWrites {
    private static final int[] ISOLATION = {
        Connection.TRANSACTION_READ_COMMITTED,
        Connection.TRANSACTION_REPEATABLE_READ,
        Connection.TRANSACTION_SERIALIZABLE
    };

    /** With these PostgreSQL tells that it has rolled back instead: the transaction had failed, or could not be serialized. */
    private static final Set<String> ROLLED_BACK = Set.of("25P02", "40001");

    private final SetWorker worker;
    private final LockCalls calls;

    GuardedWrites(SetWorker worker, LockCalls calls) {
        this.worker = worker;
        this.calls = calls;
    }

    /** With pgjdbc's autosave too. A pool gets its connection back as it was. */
    void write(HeldLock lock, SetTable table) throws SQLException {
        PGConnection driver = table.connection().unwrap(PGConnection.class);
        AutoSave before = driver.getAutosave();
        try {
            if (worker.chance(15)) {
                driver.setAutosave(AutoSave.ALWAYS);
                refused(lock, table);
            } else {
                driver.setAutosave(worker.chance(30) ? AutoSave.CONSERVATIVE : before);
                writeInOneWay(lock, table);
            }
        } finally {
            driver.setAutosave(before);
        }
    }

    /** A connection that rolls back single statements cannot be guarded. It swallows that, and tries to commit all the same. */
    private void refused(HeldLock lock, SetTable table) throws SQLException {
        String mine = worker.unique();
        table.begin(isolation());
        append(lock, table, mine);
        worker.think();
        try {
            if (worker.random.nextBoolean()) {
                lock.guard(table.connection());
            } else {
                lock.commitGuarded(table.connection());
            }
        } catch (LockException | LockLostException e) {
            invoke(lock, mine).fail(e.getClass().getSimpleName());
            table.commit();
            return;
        }
        commit(table::commit, invoke(lock, mine));
    }

    private void writeInOneWay(HeldLock lock, SetTable table) throws SQLException {
        switch (worker.random.nextInt(5)) {
            case 0 -> atOnce(lock, table);
            case 1 -> atLast(lock, table);
            case 2 -> releasing(lock, table);
            case 3 -> beforeSavepoint(lock, table);
            default -> afterSavepoint(lock, table);
        }
    }

    /** Reads before the guard half of the time: if the guard succeeds, nobody has written since. */
    private void atOnce(HeldLock lock, SetTable table) throws SQLException {
        String mine = worker.unique();
        String key = lock.key().value();
        boolean early = worker.random.nextBoolean();
        List<String> members = early ? table.read(key) : List.of();
        worker.think();
        table.begin(isolation());
        lock.guard(table.connection());
        table.write(key, early ? members : table.read(key), mine);
        if (!early) {
            worker.think();
        }
        commit(table::commit, invoke(lock, mine));
    }

    /** What was read and written counts only if nobody else had the lock until the commit. */
    private void atLast(HeldLock lock, SetTable table) throws SQLException {
        String mine = worker.unique();
        table.begin(isolation());
        append(lock, table, mine);
        worker.think();
        commit(() -> lock.commitGuarded(table.connection()), invoke(lock, mine));
    }

    /** The lock goes with the commit. */
    private void releasing(HeldLock lock, SetTable table) throws SQLException {
        String mine = worker.unique();
        table.begin(isolation());
        lock.guard(table.connection());
        append(lock, table, mine);
        Recorder.Call release = calls.invoke(Operation.RELEASE, lock, LockCalls.grant(lock));
        try {
            lock.releaseIn(table.connection());
            commit(table::commit, invoke(lock, mine));
            release.ok();
        } catch (LockException | SQLException e) {
            release.unknown(String.valueOf(e.getMessage()));
            throw e;
        }
    }

    /** What comes after the savepoint is undone, the guard is not. */
    private void beforeSavepoint(HeldLock lock, SetTable table) throws SQLException {
        String mine = worker.unique();
        table.begin(isolation());
        lock.guard(table.connection());
        Savepoint savepoint = table.connection().setSavepoint();
        append(lock, table, worker.unique());
        worker.think();
        table.connection().rollback(savepoint);
        append(lock, table, mine);
        commit(table::commit, invoke(lock, mine));
    }

    /**
     * Guards too late, swallows that it failed, and tries to save what it wrote by going back to the savepoint. Whatever the commit says
     * then, nothing of it may be there.
     */
    private void afterSavepoint(HeldLock lock, SetTable table) throws SQLException {
        String mine = worker.unique();
        table.begin(isolation());
        append(lock, table, mine);
        Savepoint savepoint = table.connection().setSavepoint();
        worker.think();
        try {
            lock.guard(table.connection());
        } catch (LockException | LockLostException e) {
            invoke(lock, mine).fail(e.getClass().getSimpleName());
            table.connection().rollback(savepoint);
            table.commit();
            return;
        }
        commit(table::commit, invoke(lock, mine));
    }

    /** Two sets in one transaction, each under its lock. */
    void writeBoth(HeldLock lesser, HeldLock greater, SetTable table) throws SQLException {
        String first = worker.unique();
        String second = worker.unique();
        table.begin(isolation());
        lesser.guard(table.connection());
        greater.guard(table.connection());
        append(lesser, table, first);
        append(greater, table, second);
        worker.think();
        Recorder.Call other = invoke(greater, second);
        commit(() -> commit(table::commit, other), invoke(lesser, first));
    }

    private static void append(HeldLock lock, SetTable table, String mine) throws SQLException {
        String key = lock.key().value();
        table.write(key, table.read(key), mine);
    }

    private int isolation() {
        return ISOLATION[worker.random.nextInt(ISOLATION.length)];
    }

    private Recorder.Call invoke(HeldLock lock, String mine) {
        return calls.invoke(Operation.COMMIT, lock, facts(lock, mine));
    }

    static Facts facts(HeldLock lock, String member) {
        return LockCalls.grant(lock).with(List.of(ItemFacts.of(member)));
    }

    /** What commits. */
    interface Commit {
        void run() throws SQLException;
    }

    static void commit(Commit commit, Recorder.Call call) throws SQLException {
        try {
            commit.run();
            call.ok();
        } catch (LockException | LockLostException e) {
            call.fail(e.getClass().getSimpleName());
            throw e;
        } catch (SQLException e) {
            if (ROLLED_BACK.contains(String.valueOf(e.getSQLState()))) {
                call.fail(e.getSQLState());
            } else {
                call.unknown(String.valueOf(e.getSQLState()));
            }
            throw e;
        }
    }
}
