package dev.leasehold.chaos.workload;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.direct.HolderLocks.HeldBy;
import java.time.Duration;
import java.util.Optional;

/** Takes one lock after the other, of few keys so that others wait, and does to it whatever one may do to a lock. */
final class ChurnWorker extends Worker {
    static final int KEYS = 6;
    static final Duration TTL = Duration.ofSeconds(1);

    private final LockCalls calls;

    ChurnWorker(Client client, int number) {
        super(client, "churn", number, 20);
        this.calls = new LockCalls(client.recorder(), name);
    }

    @Override
    void turn() {
        String key = client.prefix() + "lock-" + random.nextInt(KEYS);
        if (chance(25)) {
            byHolder(new HolderTurn(client.locks().async().byHolder(), client.recorder(), name, key, unique()));
            return;
        }
        AcquireRequest request = AcquireRequest.of(key).ttl(TTL).waitFor(Duration.ofMillis(random.nextInt(2000)));
        AcquireRequest asked = chance(50) ? request : request.withoutRenewal();
        if (chance(10)) {
            calls.acquireOrCancel(client.locks(), asked, random.nextInt(40)).ifPresent(this::hold);
        } else {
            calls.acquire(client.locks(), asked).ifPresent(this::hold);
        }
    }

    private void byHolder(HolderTurn turn) {
        Optional<HeldBy> held = turn.acquire(TTL);
        for (int i = random.nextInt(3); i > 0 && held.isPresent(); i--) {
            pause(random.nextInt(15));
            held = turn.acquire(TTL);
        }
        if (chance(20)) {
            held.ifPresent(grant -> turn.renew(grant, TTL));
        }
        if (chance(3)) {
            pause(2500); // longer than it lives
        }
        held.ifPresent(turn::release);
    }

    private void hold(HeldLock lock) {
        for (int i = random.nextInt(4); i > 0; i--) {
            pause(random.nextInt(15));
            calls.isHeld(lock);
        }
        if (chance(10)) {
            calls.extend(lock, TTL.multipliedBy(2));
        }
        if (chance(3)) {
            pause(2500); // longer than it lives without renewal
            calls.isHeld(lock);
        }
        calls.release(lock);
    }
}
