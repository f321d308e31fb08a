package dev.leasehold.chaos.workload;

import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.Recorder;
import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockLostException;
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
    private final GuardedWrites guarded;
    private final boolean isProtected;

    SetWorker(Client client, int number, boolean isProtected) {
        super(client, "set", number, 10);
        this.calls = new LockCalls(client.recorder(), name);
        this.guarded = new GuardedWrites(this, calls);
        this.isProtected = isProtected;
    }

    /** The keys of a round. */
    static List<String> keys(String prefix) {
        return IntStream.range(0, KEYS).mapToObj(i -> prefix + "set-" + i).toList();
    }

    @Override
    void turn() {
        AcquireRequest request = request(random.nextInt(KEYS));
        if (client.isLibrary() && isProtected && chance(15)) {
            twoKeys();
        } else if (client.isLibrary() && isProtected) {
            calls.acquire(client.libraryLocks(), request)
                    .ifPresent(lock -> with(lock, table -> guarded.write(lock, table)));
        } else if (isProtected) {
            calls.acquire(client.locks(), request).ifPresent(lock -> with(lock, table -> fenced(lock, table)));
        } else {
            calls.acquire(client.locks(), request).ifPresent(lock -> with(lock, table -> unguarded(lock, table)));
        }
    }

    private AcquireRequest request(int key) {
        return AcquireRequest.of(keys(client.prefix()).get(key))
                .ttl(TTL)
                .waitFor(Duration.ofSeconds(3))
                .withoutRenewal();
    }

    /** Both under one transaction; the second is always the greater one, so that nobody waits in a circle. */
    private void twoKeys() {
        int first = random.nextInt(KEYS - 1);
        int second = first + 1 + random.nextInt(KEYS - 1 - first);
        calls.acquire(client.libraryLocks(), request(first)).ifPresent(lesser -> {
            calls.acquire(client.libraryLocks(), request(second))
                    .ifPresent(greater -> with(greater, table -> guarded.writeBoth(lesser, greater, table)));
            calls.release(lesser);
        });
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

    /** The reader leaves its fence at once, so that nobody with a smaller one writes any more. */
    private void fenced(HeldLock lock, SetTable table) throws SQLException {
        String mine = unique();
        String key = fencedKey(lock.key().value());
        long fence = lock.fence().value();
        List<String> members = table.readFenced(key, fence);
        think();
        table.begin();
        if (table.writeFenced(key, fence, members, mine)) {
            GuardedWrites.commit(
                    table::commit,
                    client.recorder().invoke(name, Operation.COMMIT, key, GuardedWrites.facts(lock, mine)));
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
        Recorder.Call call = calls.invoke(Operation.WRITE, lock, GuardedWrites.facts(lock, mine));
        table.begin();
        table.write(key, members, mine);
        GuardedWrites.commit(table::commit, call);
    }

    /** Now and then for longer than the lock lives. */
    void think() {
        pause(chance(15) ? 1500 : random.nextInt(20));
    }
}
