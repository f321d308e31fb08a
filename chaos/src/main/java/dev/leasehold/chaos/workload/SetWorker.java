package dev.leasehold.chaos.workload;

import dev.leasehold.chaos.history.Facts;
import dev.leasehold.chaos.history.ItemFacts;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.Recorder;
import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockLostException;
import dev.leasehold.postgres.lock.PostgresLock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Reads a set, thinks, and writes it back with one more in it, under a lock whose ttl is often too short for that.
 *
 * <p>With a guard in the library, with the fence over HTTP, or with neither.
 */
final class SetWorker extends Worker {
    private static final int KEYS = 3;
    private static final Duration TTL = Duration.ofMillis(200);

    private final LockCalls calls;
    private final boolean isProtected;

    SetWorker(Client client, int number, boolean isProtected) {
        super(client, "set", number, 10);
        this.calls = new LockCalls(client.recorder(), name);
        this.isProtected = isProtected;
    }

    /** The keys of a round. */
    static List<String> keys(String prefix) {
        return IntStream.range(0, KEYS).mapToObj(i -> prefix + "set-" + i).toList();
    }

    @Override
    void turn() {
        List<String> keys = keys(client.prefix());
        AcquireRequest request = AcquireRequest.of(keys.get(random.nextInt(KEYS)))
                .ttl(TTL)
                .waitFor(Duration.ofSeconds(3))
                .withoutRenewal();
        if (client.isLibrary() && isProtected) {
            calls.acquire(client.libraryLocks(), request).ifPresent(lock -> with(lock, guarded(lock)));
        } else if (isProtected) {
            calls.acquire(client.locks(), request).ifPresent(lock -> with(lock, table -> fenced(lock, table)));
        } else {
            calls.acquire(client.locks(), request).ifPresent(lock -> with(lock, table -> unguarded(lock, table)));
        }
    }

    private interface Work {
        void on(SetTable table) throws SQLException;
    }

    private void with(HeldLock lock, Work work) {
        try (Connection connection = client.business().getConnection()) {
            work.on(new SetTable(connection));
        } catch (SQLException | LockException | LockLostException e) {
            pause(20); // the database is away, or the lock is lost: nothing was written
        }
        calls.release(lock);
    }

    private Work guarded(PostgresLock lock) {
        return chance(50) ? table -> guardedAtOnce(lock, table) : table -> guardedAtLast(lock, table);
    }

    /** Reads before the guard half of the time: if the guard succeeds, nobody has written since. */
    private void guardedAtOnce(PostgresLock lock, SetTable table) throws SQLException {
        String mine = unique();
        String key = lock.key().value();
        boolean early = random.nextBoolean();
        List<String> members = early ? table.read(key) : List.of();
        think();
        table.begin();
        lock.guard(table.connection());
        table.write(key, early ? members : table.read(key), mine);
        if (!early) {
            think();
        }
        commit(table::commit, calls.invoke(Operation.COMMIT, lock, facts(lock, mine)));
    }

    /** What was read and written counts only if nobody else had the lock until the commit. */
    private void guardedAtLast(PostgresLock lock, SetTable table) throws SQLException {
        String mine = unique();
        String key = lock.key().value();
        table.begin();
        List<String> members = table.read(key);
        think();
        table.write(key, members, mine);
        Recorder.Call call = calls.invoke(Operation.COMMIT, lock, facts(lock, mine));
        commit(() -> lock.commitGuarded(table.connection()), call);
    }

    private static Facts facts(HeldLock lock, String member) {
        return LockCalls.grant(lock).with(List.of(ItemFacts.of(member)));
    }

    private interface Commit {
        void run() throws SQLException;
    }

    private static void commit(Commit commit, Recorder.Call call) throws SQLException {
        try {
            commit.run();
            call.ok();
        } catch (LockException | LockLostException e) {
            call.fail(e.getClass().getSimpleName());
            throw e;
        } catch (SQLException e) {
            call.unknown(String.valueOf(e.getSQLState()));
            throw e;
        }
    }

    /** The reader leaves its fence at once, so that nobody with a smaller one writes any more. */
    private void fenced(HeldLock lock, SetTable table) throws SQLException {
        String mine = unique();
        String key = fencedKey(lock.key().value());
        long fence = lock.fence().value();
        List<String> members = table.readFenced(key, fence);
        think();
        table.begin();
        if (table.writeFenced(key, fence, members, mine)) {
            commit(table::commit, client.recorder().invoke(name, Operation.COMMIT, key, facts(lock, mine)));
        } else {
            table.rollback();
        }
    }

    static String fencedKey(String key) {
        return key + "-fenced";
    }

    private void unguarded(HeldLock lock, SetTable table) throws SQLException {
        String mine = unique();
        String key = lock.key().value();
        List<String> members = table.read(key);
        think();
        Recorder.Call call = calls.invoke(Operation.WRITE, lock, facts(lock, mine));
        table.begin();
        table.write(key, members, mine);
        commit(table::commit, call);
    }

    /** Now and then for longer than the lock lives. */
    private void think() {
        pause(chance(15) ? 1500 : random.nextInt(20));
    }
}
