package dev.leasehold.examples;

import static dev.leasehold.examples.Story.say;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.Holder;
import dev.leasehold.postgres.lock.LockSchema;
import dev.leasehold.postgres.lock.PostgresLocks;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import javax.sql.DataSource;

/** A holder that says who it is: the same one gets the same grant again, anybody can see who has the lock. */
public final class Holders {
    private Holders() {}

    public static void main(String[] args) {
        DataSource dataSource = TestPostgres.newSchema();
        LockSchema.create(dataSource);
        try (PostgresLocks locks = PostgresLocks.create(dataSource)) {
            HeldLock first = locks.acquire(request("worker-1"));
            HeldLock again = locks.acquire(request("worker-1"));
            say("worker-1 acquired it twice: fences %s and %s, one grant.", first.fence(), again.fence());
            say("worker-2 was %s.", locks.tryAcquire(request("worker-2")).isPresent() ? "granted" : "refused");
            locks.getByKey("import")
                    .ifPresent(lock -> say(
                            "Held by %s since %s, fence %s.",
                            lock.holder().orElseThrow(), lock.acquiredAt(), lock.fence()));
            withoutTheHandle(locks, again.lockId().value());
        }
    }

    private static AcquireRequest request(String instanceId) {
        return AcquireRequest.of("import").holder(Holder.of("import-service", instanceId));
    }

    /** The lock id alone is enough, in any process. Keep it secret. */
    private static void withoutTheHandle(PostgresLocks locks, String lockId) {
        say(
                "Extended by its lock id: %s.",
                locks.byLockId().extend(lockId, Duration.ofMinutes(1)).isPresent());
        say("Released by its lock id: %s.", locks.byLockId().release(lockId));
        say("Released once more: %s.", locks.byLockId().release(lockId));
    }
}
