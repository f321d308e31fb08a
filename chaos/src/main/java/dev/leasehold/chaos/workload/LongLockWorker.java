package dev.leasehold.chaos.workload;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.Locks;
import java.time.Duration;
import java.util.Optional;

/**
 * Takes locks for half a minute and gives them back at once. A grant that nobody knows of, because its reply was lost or its call was
 * cancelled, would keep its key locked for all that time: nobody may find that it does.
 */
final class LongLockWorker extends Worker {
    private static final int KEYS = 12;
    private static final Duration TTL = Duration.ofSeconds(30);

    private final LockCalls calls;
    private final Locks locks;

    LongLockWorker(Client client, int number, Locks locks) {
        super(client, "long", number, 40);
        this.locks = locks;
        this.calls = new LockCalls(client.recorder(), name, locks == client.impatientLocks());
    }

    @Override
    void turn() {
        AcquireRequest request = AcquireRequest.of(client.prefix() + "long-" + random.nextInt(KEYS))
                .ttl(TTL)
                .withoutRenewal();
        acquire(locks, request).ifPresent(calls::release);
    }

    private Optional<HeldLock> acquire(Locks locks, AcquireRequest request) {
        return chance(20) ? calls.acquireOrCancel(locks, request, random.nextInt(4)) : calls.acquire(locks, request);
    }
}
