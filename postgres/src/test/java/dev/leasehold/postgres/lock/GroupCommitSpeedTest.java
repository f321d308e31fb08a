package dev.leasehold.postgres.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.BlockingLockStore;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** What group commit is worth, as ratios within one run, and that it costs a lonely caller nothing. */
class GroupCommitSpeedTest {
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final int THREADS = 64;
    private static final int MOST_ROUNDS = 10;
    private static final int LONELY_CYCLES = 2000;
    private static final int LONELY_WARM_UP = 500;
    private static final Duration ROUND = Duration.ofMillis(1500);

    /** Until the compiler has seen it all: a steady state is compared with a steady state. */
    private static final Duration WARM_UP = Duration.ofSeconds(15);

    private static PostgresLocks grouped;
    private static PostgresLocks single;

    @BeforeAll
    static void open() {
        PGSimpleDataSource dataSource = TestPostgres.newSchema();
        LockSchema.create(dataSource);
        grouped = PostgresLocks.create(dataSource);
        single = PostgresLocks.builder(dataSource).withoutGroupCommit().build();
    }

    @AfterAll
    static void close() {
        grouped.close();
        single.close();
    }

    /** Whatever else the machine does can only make the crowd slower, so the best of a few rounds is what group commit is worth. */
    @Test
    void sixty_four_threads_are_at_least_eight_times_faster_together() throws Exception {
        cyclesPerSecond(grouped, WARM_UP);
        cyclesPerSecond(single, Duration.ofSeconds(1));
        double best = 0;
        for (int round = 0; round < MOST_ROUNDS && best < 8; round++) {
            double together = cyclesPerSecond(grouped, ROUND);
            double apart = cyclesPerSecond(single, ROUND);
            best = Math.max(best, together / apart);
            System.out.printf(
                    "group commit: %.0f/s together, %.0f/s apart, ratio %.1f%n", together, apart, together / apart);
        }
        assertThat(best).isGreaterThanOrEqualTo(8);
    }

    /** In turn, cycle by cycle, so that whatever else the machine does hits both alike. */
    @Test
    void a_lonely_caller_waits_no_longer_than_without() {
        long[] together = new long[LONELY_CYCLES];
        long[] apart = new long[LONELY_CYCLES];
        for (int i = -LONELY_WARM_UP; i < LONELY_CYCLES; i++) {
            long grouped = cycleNanos(GroupCommitSpeedTest.grouped);
            long alone = cycleNanos(single);
            if (i >= 0) {
                together[i] = grouped;
                apart[i] = alone;
            }
        }
        double ratio = (double) median(together) / median(apart);
        System.out.printf(
                "lonely caller: p50 %d us grouped, %d us apart, ratio %.3f%n",
                median(together) / 1000, median(apart) / 1000, ratio);
        assertThat(ratio).isLessThanOrEqualTo(1.05);
    }

    private static double cyclesPerSecond(PostgresLocks locks, Duration time) throws Exception {
        BlockingLockStore store = locks.store().blocking();
        long end = System.nanoTime() + time.toNanos();
        long start = System.nanoTime();
        List<Callable<Integer>> workers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            LockKey key = LockKey.of("speed:" + i);
            workers.add(() -> {
                int cycles = 0;
                while (System.nanoTime() < end) {
                    cycle(store, key);
                    cycles++;
                }
                return cycles;
            });
        }
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            long cycles = 0;
            for (Future<Integer> worker : threads.invokeAll(workers)) {
                cycles += worker.get();
            }
            return cycles * 1e9 / (System.nanoTime() - start);
        } finally {
            threads.shutdown();
        }
    }

    private static long cycleNanos(PostgresLocks locks) {
        long start = System.nanoTime();
        cycle(locks.store().blocking(), LockKey.of("lonely"));
        return System.nanoTime() - start;
    }

    private static void cycle(BlockingLockStore store, LockKey key) {
        Granted granted = (Granted) store.acquire(AcquireAttempt.of(key, TTL));
        if (!store.release(granted.lockId()).ok()) {
            throw new AssertionError("the lock was lost");
        }
    }

    private static long median(long[] values) {
        return Arrays.stream(values)
                .sorted()
                .skip(values.length / 2)
                .findFirst()
                .orElseThrow();
    }
}
