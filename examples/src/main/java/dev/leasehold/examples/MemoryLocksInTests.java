package dev.leasehold.examples;

import static dev.leasehold.examples.Story.say;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.Locks;
import dev.leasehold.memory.MemoryLockStore;
import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.testkit.TestClock;
import java.time.Duration;

/** Code that takes {@code Locks} runs on the memory store in a unit test: two nodes, no database, a clock that can be moved. */
public final class MemoryLocksInTests {
    private MemoryLocksInTests() {}

    /** The code under test: it knows only the promises. */
    private static String closeTheMonth(Locks locks) {
        return locks.tryAcquire("month").map(MemoryLocksInTests::close).orElse("somebody else is at it");
    }

    private static String close(HeldLock lock) {
        try (lock) {
            return "closed with fence " + lock.fence();
        }
    }

    public static void main(String[] args) {
        TestClock clock = new TestClock();
        MemoryLockStore store = new MemoryLockStore(clock);
        try (MemoryLocks ours = MemoryLocks.on(store, LockOptions.DEFAULT);
                MemoryLocks theirs = MemoryLocks.on(store, LockOptions.DEFAULT)) {
            say("Free: %s.", closeTheMonth(ours));
            theirs.acquire(AcquireRequest.of("month").ttl(Duration.ofMinutes(5)).withoutRenewal());
            say("Held by another node: %s.", closeTheMonth(ours));
            clock.advance(Duration.ofMinutes(5).plusSeconds(1));
            say("Five minutes and the tolerance later: %s.", closeTheMonth(ours));
        }
    }
}
