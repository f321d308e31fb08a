package dev.leasehold.bench.lock;

import dev.leasehold.bench.Group;
import dev.leasehold.bench.Scenario;
import dev.leasehold.bench.Variant;
import java.util.List;

/** The scenarios of locks. */
public final class LockScenarios {
    private LockScenarios() {}

    public static List<Scenario> all() {
        return List.of(distinctKeys());
    }

    private static Scenario distinctKeys() {
        return new Scenario(
                Group.LOCKS,
                "L1",
                "acquire and release on distinct keys",
                "one acquire and its release",
                "64 threads: at least 8 x ShedLock and Spring, 60 % of hand-batched SQL; 1 thread: p50 not above ShedLock's",
                List.of(Variant.threads(1), Variant.threads(8), Variant.threads(64)),
                List.of(LeaseholdLocker.defaults().in(Cycles::open)));
    }
}
