package dev.leasehold.bench.lock;

import dev.leasehold.bench.Contender;
import dev.leasehold.bench.Group;
import dev.leasehold.bench.Scenario;
import dev.leasehold.bench.Variant;
import java.util.List;

/** The scenarios of locks. */
public final class LockScenarios {
    private static final int MANY = 64;
    private static final int CROWD = 16;
    private static final Contender FENCEPOST = Contender.absent("fencepost", "it is published in no package registry");
    private static final Contender REDISSON =
            Contender.absent("redisson", "nothing here starts or speaks to a Redis; see ADR 18");

    private LockScenarios() {}

    public static List<Scenario> all() {
        return List.of(distinctKeys(), hotKey(), losingTries(), renewal(), guard(), http());
    }

    private static Scenario distinctKeys() {
        return new Scenario(
                Group.LOCKS,
                "L1",
                "acquire and release on distinct keys",
                "one acquire and its release",
                List.of(Variant.threads(1), Variant.threads(8), Variant.threads(MANY)),
                List.of(
                        LeaseholdLocker.defaults().in(Cycles::open),
                        LeaseholdLocker.eightLanes().in(Cycles::open),
                        LeaseholdLocker.ungrouped().in(Cycles::open),
                        LeaseholdLocker.ungroupedOnTwo().in(Cycles::open),
                        ShedLockLocker.system().in(Cycles::open),
                        SpringLocker.defaults().in(Cycles::open),
                        RawLocker.system().in(Cycles::open),
                        RawBatches.contender().only(variant -> variant.concurrency() == MANY),
                        FENCEPOST,
                        REDISSON));
    }

    private static Scenario hotKey() {
        return new Scenario(
                Group.LOCKS,
                "L2",
                "one key that all want, held for 1 ms",
                "one hand-off from a worker to another; its latency is the time from the release to the next holder",
                List.of(
                        new Variant("16 workers, 1 JVM", CROWD, 1),
                        new Variant("16 workers, 4 JVMs", CROWD, 4),
                        new Variant("2 workers, 2 JVMs", 2, 2)),
                List.of(
                        LeaseholdLocker.defaults().in(HotKey::open).cold(),
                        SpringLocker.defaults()
                                .in(HotKey::open)
                                .only(LockScenarios::isCrowd)
                                .cold(),
                        SpringLocker.impatient()
                                .in(HotKey::open)
                                .only(LockScenarios::isCrowd)
                                .cold(),
                        Contender.absent("shedlock", "it cannot wait for a lock"),
                        FENCEPOST));
    }

    private static boolean isCrowd(Variant variant) {
        return variant.concurrency() == CROWD;
    }

    private static Scenario losingTries() {
        return new Scenario(
                Group.LOCKS,
                "L3",
                "tries for locks that another node holds",
                "one try that is refused",
                List.of(
                        new Variant("64 threads, one lock", MANY, 1),
                        new Variant("64 threads, a lock each", MANY, MANY)),
                List.of(
                        LeaseholdLocker.defaults().in(LosingTries::open),
                        LeaseholdLocker.ungrouped().in(LosingTries::open),
                        ShedLockLocker.system().in(LosingTries::open),
                        RawLocker.system().in(LosingTries::open),
                        Contender.absent(
                                "spring",
                                "its keys share 256 locks of the JVM, so most tries are refused without the database")));
    }

    private static Scenario renewal() {
        return new Scenario(
                Group.LOCKS,
                "L4",
                "renewal of 1,000 held locks",
                "the renewal of all 1,000",
                List.of(new Variant("1,000 locks", 1, Renewals.LOCKS)),
                Renewals.contenders());
    }

    private static Scenario guard() {
        return new Scenario(
                Group.LOCKS,
                "L5",
                "a small transaction with and without guard",
                "one transaction",
                List.of(Variant.threads(1), Variant.threads(8)),
                GuardedTransactions.contenders());
    }

    private static Scenario http() {
        return new Scenario(
                Group.HTTP,
                "L6",
                "acquire and release over HTTP",
                "one acquire and its release",
                List.of(new Variant("64 connections", MANY, 1)),
                HttpCycles.contenders());
    }
}
