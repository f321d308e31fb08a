package dev.leasehold.client;

import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.admin.Capabilities;
import dev.leasehold.lock.engine.RenewingLocks;
import dev.leasehold.memory.MemoryLockStore;
import dev.leasehold.testkit.LockFixture;
import dev.leasehold.testkit.TestClock;

/** Nodes on locks in memory, closed by the servers that they are given to. */
final class MemoryLockEngine implements LockFixture {
    private final TestClock clock = new TestClock();
    private final MemoryLockStore store = new MemoryLockStore(clock);

    @Override
    public RenewingLocks node(LockOptions options) {
        return new RenewingLocks(store, options);
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities("memory", true, Capabilities.TimeAuthority.CLIENT);
    }

    @Override
    public TestClock clock() {
        return clock;
    }

    @Override
    public void setFenceCounter(String key, long value) {
        store.setFenceCounter(LockKey.of(key), value);
    }

    @Override
    public void close() {}
}
