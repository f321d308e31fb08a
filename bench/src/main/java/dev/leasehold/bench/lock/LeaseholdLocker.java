package dev.leasehold.bench.lock;

import dev.leasehold.bench.Contender;
import dev.leasehold.bench.Versions;
import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.postgres.lock.LockSchema;
import dev.leasehold.postgres.lock.PostgresLocks;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Leasehold as a library. */
final class LeaseholdLocker implements Locker {
    /** So that a busy machine ends no run. */
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final PostgresLocks locks;

    private LeaseholdLocker(PostgresLocks locks) {
        this.locks = locks;
    }

    /** As it is without any setting. */
    static LockSystem defaults() {
        return system(
                Contender.LEASEHOLD, "as it comes: groups on 2 of 8 connections, fenced, renewed", builder -> builder);
    }

    static LockSystem eightLanes() {
        return system("leasehold-8", "connections(8): groups on 8 connections", builder -> builder.connections(8));
    }

    static LockSystem ungrouped() {
        return system(
                "leasehold-ungrouped",
                "for reference: withoutGroupCommit(), connections(8)",
                builder -> builder.withoutGroupCommit().connections(8));
    }

    /** On as many connections as it uses by default: the difference is group commit alone. */
    static LockSystem ungroupedOnTwo() {
        return system(
                "leasehold-ungrouped-2",
                "for reference: withoutGroupCommit(), on 2 connections",
                PostgresLocks.Builder::withoutGroupCommit);
    }

    private static LockSystem system(String name, String settings, UnaryOperator<PostgresLocks.Builder> change) {
        return new LockSystem(
                name,
                Versions.of("leasehold"),
                settings,
                LockSchema::create,
                dataSource -> new LeaseholdLocker(
                        change.apply(PostgresLocks.builder(dataSource).timeout(TIMEOUT))
                                .build()));
    }

    @Override
    public @Nullable Held acquire(String key, Duration wait) {
        return locks.tryAcquire(AcquireRequest.of(key).waitFor(wait))
                .<Held>map(lock -> lock::release)
                .orElse(null);
    }

    @Override
    public void close() {
        locks.close();
    }
}
