package dev.leasehold.lock.internal;

import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.direct.LocksById;
import dev.leasehold.lock.spi.BlockingLockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** {@link LocksById} over any store. */
public final class StoreLocksById implements LocksById {
    private final BlockingLockStore store;

    public StoreLocksById(BlockingLockStore store) {
        this.store = store;
    }

    @Override
    public boolean release(String lockId, CancelSignal signal) {
        return store.release(LockId.of(lockId), signal).ok();
    }

    @Override
    public Optional<Instant> extend(String lockId, Duration ttl, CancelSignal signal) {
        return store.extend(LockId.of(lockId), ttl, signal).newExpiry();
    }

    @Override
    public Optional<LockInfo> get(String lockId, CancelSignal signal) {
        return store.lookup(LockId.of(lockId), signal);
    }
}
