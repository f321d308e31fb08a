package dev.leasehold.chaos.structures;

import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.Locks;
import dev.leasehold.memory.MemoryLockStore;
import dev.leasehold.memory.MemoryLocks;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A handle that several threads release, close and ask: it is released once, and nobody is told that it is held afterwards. */
@Tag("slow")
public class HandleStateTest {
    private static final Locks LOCKS = MemoryLocks.on(new MemoryLockStore(), LockOptions.DEFAULT);
    private static final AtomicLong KEYS = new AtomicLong();

    private final HeldLock lock = LOCKS.acquire("handle" + KEYS.incrementAndGet());

    @Operation
    public boolean release() {
        return lock.release();
    }

    @Operation
    public void close() {
        lock.close();
    }

    @Operation
    public boolean isHeld() {
        return lock.isHeld();
    }

    @Test
    void a_handle_is_linearizable() {
        Structures.stress().sequentialSpecification(Handle.class).check(HandleStateTest.class);
    }

    @Test
    @Tag("long")
    void a_handle_is_linearizable_at_depth() {
        Structures.deepStress().sequentialSpecification(Handle.class).check(HandleStateTest.class);
    }

    /** What a handle promises, one call after the other. */
    public static class Handle {
        private boolean held = true;

        public boolean release() {
            boolean first = held;
            held = false;
            return first;
        }

        public void close() {
            held = false;
        }

        public boolean isHeld() {
            return held;
        }
    }
}
