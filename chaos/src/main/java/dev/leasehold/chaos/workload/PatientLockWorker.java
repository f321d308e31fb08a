package dev.leasehold.chaos.workload;

import dev.leasehold.lock.AcquireRequest;
import java.time.Duration;

/**
 * Waits for a lock that every client wants in turn, for much longer than it takes to be served. A waiter that everybody has forgotten
 * shows: it waits through the calm at the end of a round, while the lock is free.
 */
final class PatientLockWorker extends Worker {
    /** Longer than the calm at the end of a round, shorter than the patience with a client that is to stop. */
    static final Duration WAIT = Duration.ofSeconds(45);

    private static final Duration TTL = Duration.ofSeconds(2);
    private static final int MOST_MILLIS = 300;

    private final LockCalls calls;

    PatientLockWorker(Client client, int number) {
        super(client, "patient", number, 50);
        this.calls = new LockCalls(client.recorder(), name);
    }

    @Override
    void turn() {
        AcquireRequest request =
                AcquireRequest.of(client.prefix() + "patient").ttl(TTL).waitFor(WAIT);
        if (chance(3)) {
            calls.acquire(
                    client.locks(), request.withoutRenewal()); // nobody releases it: the next is served when it ends
            return;
        }
        calls.acquire(client.locks(), request).ifPresent(lock -> {
            pause(random.nextInt(MOST_MILLIS));
            calls.release(lock);
        });
    }
}
