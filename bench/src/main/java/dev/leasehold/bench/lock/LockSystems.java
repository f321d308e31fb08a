package dev.leasehold.bench.lock;

import java.util.List;

/** Every system of locks that is compared. */
final class LockSystems {
    private static final List<LockSystem> ALL = List.of(
            LeaseholdLocker.defaults(),
            LeaseholdLocker.eightLanes(),
            LeaseholdLocker.ungrouped(),
            LeaseholdLocker.ungroupedOnTwo(),
            ShedLockLocker.system(),
            SpringLocker.defaults(),
            SpringLocker.impatient(),
            RawLocker.system());

    private LockSystems() {}

    static LockSystem named(String name) {
        return ALL.stream()
                .filter(system -> system.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no system of locks named " + name));
    }
}
