package dev.leasehold.syncguard;

import dev.leasehold.lock.LockInfo;

/** A live lock with its raw key and lock id. Sensitive: everyone who has the lock id can release the lock. For debugging only. */
public record RawLockInfo(LockInfo info, String key, String lockId) {
    @Override
    public String toString() {
        return "RawLockInfo[" + info + "]";
    }
}
