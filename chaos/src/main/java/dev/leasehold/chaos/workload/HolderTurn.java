package dev.leasehold.chaos.workload;

import dev.leasehold.chaos.history.Facts;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.Recorder;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.direct.HolderLocks;
import dev.leasehold.lock.direct.HolderLocks.HeldBy;
import dev.leasehold.lock.direct.HolderLocks.Release;
import java.time.Duration;
import java.util.Optional;

/**
 * A lock by key and holder, without a lock id, as LockServiceCentral's clients have it; each call recorded.
 *
 * <p>The holder is another one in each turn: a release that is carried out late would otherwise end the grant of a later turn.
 */
final class HolderTurn {
    private final HolderLocks locks;
    private final Recorder recorder;
    private final String worker;
    private final LockKey key;
    private final Holder holder;

    HolderTurn(HolderLocks locks, Recorder recorder, String worker, String key, String turn) {
        this.locks = locks;
        this.recorder = recorder;
        this.worker = worker;
        this.key = LockKey.of(key);
        this.holder = Holder.of(worker, turn);
    }

    /** Also again, which keeps the grant while it lives. */
    Optional<HeldBy> acquire(Duration lease) {
        Recorder.Call call = recorder.invoke(worker, Operation.ACQUIRE, key.value(), Facts.lasts(lease));
        return LockCalls.answered(call, () -> locks.acquire(key, holder, lease).join(), HolderTurn::grant);
    }

    void renew(HeldBy held, Duration more) {
        Recorder.Call call = recorder.invoke(
                worker, Operation.EXTEND, key.value(), grant(held).lasting(more));
        LockCalls.ended(call, () -> locks.renew(key, holder, more).join().isPresent());
    }

    void release(HeldBy held) {
        Recorder.Call call = recorder.invoke(worker, Operation.RELEASE, key.value(), grant(held));
        LockCalls.ended(call, () -> locks.release(key, holder).join() == Release.RELEASED);
    }

    private static Facts grant(HeldBy held) {
        return Facts.grant(held.lockId(), held.fence());
    }
}
