package dev.leasehold.chaos.broken;

import dev.leasehold.chaos.history.Facts;
import dev.leasehold.chaos.history.ItemFacts;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.Recorder;
import dev.leasehold.chaos.workload.OtherClient;
import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.Fence;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockLostException;
import dev.leasehold.postgres.lock.PostgresLocks;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** What workers do with one key, recorded. */
final class LockWorkers {
    private static final String KEY = "contested";
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final AtomicInteger WRITES = new AtomicInteger();

    private final Bench bench;

    LockWorkers(Bench bench) {
        this.bench = bench;
    }

    /** Acquires, waiting that long, holds for a moment, and releases. */
    void churns(String node, PostgresLocks locks, Duration wait, int holdMs) {
        Recorder recorder = bench.recorder(node);
        bench.add(random -> {
            Optional<HeldLock> lock = acquire(recorder, node, locks, TTL, wait);
            if (lock.isPresent()) {
                Thread.sleep(random.nextInt(holdMs));
                release(recorder, node, lock.get());
            } else {
                Thread.sleep(random.nextInt(holdMs));
            }
        });
    }

    /** Acquires, and lets the grant run out. */
    void letsLapse(String node, PostgresLocks locks, Duration ttl) {
        Recorder recorder = bench.recorder(node);
        bench.add(random -> {
            acquire(recorder, node, locks, ttl, Duration.ZERO);
            Thread.sleep(random.nextInt(50));
        });
    }

    /** Has the lock before anybody else begins, and extends it again and again. */
    void extendsOnly(String node, PostgresLocks locks) {
        Recorder recorder = bench.recorder(node);
        HeldLock lock = acquire(recorder, node, locks, TTL, Duration.ZERO).orElseThrow();
        bench.add(random -> extend(recorder, node, lock));
    }

    private static void extend(Recorder recorder, String node, HeldLock lock) {
        Recorder.Call call = recorder.invoke(
                node,
                Operation.EXTEND,
                KEY,
                Facts.grant(lock.lockId(), lock.fence()).lasting(TTL));
        try {
            if (lock.extend(TTL)) {
                call.ok();
            } else {
                call.fail("gone");
            }
        } catch (LockException e) {
            call.unknown(e.code().name());
        }
    }

    /** Writes under guard, often too late: it dawdles before guard, or with a slow commit between guard and commit. */
    void guards(String node, PostgresLocks locks, DataSource dataSource, boolean slowCommit) {
        Recorder recorder = bench.recorder(node);
        bench.add(random -> {
            Optional<HeldLock> lock = acquire(recorder, node, locks, Duration.ofMillis(50), Duration.ofSeconds(2));
            if (lock.isPresent()) {
                write(recorder, node, lock.get(), dataSource, dawdle(random), slowCommit);
                release(recorder, node, lock.get());
            }
        });
    }

    /** Short, or longer than the time and the tolerance of the grant. */
    private static long dawdle(Random random) {
        return random.nextBoolean() ? 5 : 1300;
    }

    private static void write(
            Recorder recorder, String node, HeldLock lock, DataSource dataSource, long dawdle, boolean slowCommit)
            throws SQLException, InterruptedException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            Thread.sleep(slowCommit ? 0 : dawdle);
            lock.guard(connection);
            Thread.sleep(slowCommit ? dawdle : 0);
            List<ItemFacts> written = List.of(ItemFacts.of("write" + WRITES.incrementAndGet()));
            Recorder.Call call = recorder.invoke(
                    node,
                    Operation.COMMIT,
                    KEY,
                    Facts.grant(lock.lockId(), lock.fence()).with(written));
            connection.commit();
            call.ok();
        } catch (LockLostException e) {
            // as it should be: nothing was written
        }
    }

    static Optional<HeldLock> acquire(
            Recorder recorder, String node, PostgresLocks locks, Duration ttl, Duration wait) {
        Recorder.Call call = recorder.invoke(node, Operation.ACQUIRE, KEY, Facts.lasts(ttl));
        try {
            Optional<HeldLock> lock = locks.tryAcquire(
                    AcquireRequest.of(KEY).ttl(ttl).waitFor(wait).withoutRenewal());
            lock.ifPresentOrElse(held -> call.ok(Facts.grant(held.lockId(), held.fence())), () -> call.fail("locked"));
            return lock;
        } catch (LockException e) {
            call.unknown(e.code().name());
            return Optional.empty();
        }
    }

    private static void release(Recorder recorder, String node, HeldLock lock) {
        Recorder.Call call = recorder.invoke(node, Operation.RELEASE, KEY, Facts.grant(lock.lockId(), lock.fence()));
        try {
            if (lock.release()) {
                call.ok();
            } else {
                call.fail("gone");
            }
        } catch (LockException e) {
            call.unknown(e.code().name());
        }
    }

    /** Clients of another library, so many that somebody always waits for the advisory lock of the key. */
    void crowd(int clients, DataSource dataSource) {
        for (int i = 0; i < clients; i++) {
            otherClient("crowd-" + i, dataSource);
        }
    }

    /** A client of another library on the same tables, which looks, thinks, and writes without looking again. */
    void otherClient(String node, DataSource dataSource) {
        Recorder recorder = bench.recorder(node);
        OtherClient client = new OtherClient(dataSource);
        bench.add(random -> {
            Recorder.Call acquire = recorder.invoke(node, Operation.ACQUIRE, KEY, Facts.lasts(TTL));
            Optional<OtherClient.Acquired> acquired = client.acquire(KEY, TTL, random.nextInt(20));
            if (acquired.isEmpty()) {
                acquire.fail("locked");
                return;
            }
            Facts grant = Facts.grant(
                    LockId.of(acquired.get().lockId()), Fence.of(acquired.get().fence()));
            acquire.ok(grant);
            Thread.sleep(random.nextInt(10));
            Recorder.Call release = recorder.invoke(node, Operation.RELEASE, KEY, grant);
            client.release(acquired.get().lockId());
            release.ok();
        });
    }
}
