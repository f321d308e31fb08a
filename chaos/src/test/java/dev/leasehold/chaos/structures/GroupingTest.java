package dev.leasehold.chaos.structures;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.Locks;
import dev.leasehold.postgres.lock.LockSchema;
import dev.leasehold.postgres.lock.PostgresLocks;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Calls that travel in groups to a real PostgreSQL: each gets its own answer, as if they had come one after the other. */
@Tag("slow")
public class GroupingTest {
    private static final Duration TTL = Duration.ofMinutes(1);
    private static final AtomicLong KEYS = new AtomicLong();

    private final LockKey key = LockKey.of("grouped" + KEYS.incrementAndGet());
    private final Map<Integer, String> held = new ConcurrentHashMap<>();

    /** The engine that all share. */
    private static final class Engine {
        static final Locks LOCKS = open();

        private static Locks open() {
            DataSource dataSource = TestPostgres.newSchema();
            LockSchema.create(dataSource);
            return PostgresLocks.create(dataSource);
        }
    }

    @Operation
    public boolean acquire(@Param(gen = ThreadIdGen.class) int thread) {
        AcquireRequest request = AcquireRequest.of(key).ttl(TTL).withoutRenewal();
        Optional<HeldLock> granted = Engine.LOCKS.tryAcquire(request);
        granted.ifPresent(lock -> held.put(thread, lock.lockId().value()));
        return granted.isPresent();
    }

    @Operation
    public boolean release(@Param(gen = ThreadIdGen.class) int thread) {
        String lockId = held.remove(thread);
        return lockId != null && Engine.LOCKS.byLockId().release(lockId);
    }

    @Operation
    public boolean extend(@Param(gen = ThreadIdGen.class) int thread) {
        String lockId = held.get(thread);
        return lockId != null && Engine.LOCKS.byLockId().extend(lockId, TTL).isPresent();
    }

    @Operation
    public boolean isLocked() {
        return Engine.LOCKS.isLocked(key.value());
    }

    @Test
    void calls_in_groups_are_linearizable() {
        check(1);
    }

    @Test
    @Tag("long")
    void calls_in_groups_are_linearizable_at_depth() {
        check(12);
    }

    private static void check(int iterations) {
        Structures.stress()
                .iterations(iterations)
                .invocationsPerIteration(30)
                .sequentialSpecification(Lock.class)
                .check(GroupingTest.class);
    }

    /** What the engine promises, one call after the other. */
    public static class Lock {
        private static final int NOBODY = -1;
        private int holder = NOBODY;

        public boolean acquire(int thread) {
            boolean free = holder == NOBODY;
            holder = free ? thread : holder;
            return free;
        }

        public boolean release(int thread) {
            boolean held = holder == thread;
            holder = held ? NOBODY : holder;
            return held;
        }

        public boolean extend(int thread) {
            return holder == thread;
        }

        public boolean isLocked() {
            return holder != NOBODY;
        }
    }
}
