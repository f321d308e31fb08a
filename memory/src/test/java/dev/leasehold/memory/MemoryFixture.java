package dev.leasehold.memory;

import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.admin.Capabilities;
import dev.leasehold.lock.engine.RenewingLocks;
import dev.leasehold.testkit.LockFixture;
import dev.leasehold.testkit.TestClock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Nodes on one {@link MemoryLockStore}. */
final class MemoryFixture implements LockFixture {
    private final TestClock clock = new TestClock();
    private final MemoryLockStore store = new MemoryLockStore(clock);
    private final List<MemoryLocks> nodes = new CopyOnWriteArrayList<>();

    @Override
    public RenewingLocks node(LockOptions options) {
        MemoryLocks node = MemoryLocks.on(store, options);
        nodes.add(node);
        return node.renewing();
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
    public void close() {
        nodes.forEach(MemoryLocks::close);
    }
}
