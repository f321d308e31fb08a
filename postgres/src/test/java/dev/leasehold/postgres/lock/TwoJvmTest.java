package dev.leasehold.postgres.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.postgres.Db;
import dev.leasehold.testkit.process.ChildJvm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Many threads of two JVMs, one lock. */
@Timeout(240)
@Tag("slow")
class TwoJvmTest {
    private static final int THREADS = 6;
    private static final int HAND_OVERS = 5;
    private static final Duration SETTLED = Duration.ofMillis(200);
    private PGSimpleDataSource dataSource;
    private Worker worker;

    @BeforeEach
    void open() {
        dataSource = Db.withTables();
        Db.execute(dataSource, "create table counter (value bigint); insert into counter values (0)");
        worker = new Worker(dataSource);
    }

    private long counter() {
        return Db.number(dataSource, "select value from counter");
    }

    private static int done(List<String> output) {
        return output.stream()
                .filter(line -> line.startsWith("done "))
                .mapToInt(line -> Integer.parseInt(line.substring(5)))
                .sum();
    }

    private static int sum(List<Callable<Integer>> work, ChildJvm other) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(work.size());
        try {
            int sum = 0;
            for (Future<Integer> result : threads.invokeAll(work)) {
                sum += result.get();
            }
            return sum + done(Worker.output(other));
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void a_counter_that_nothing_but_the_lock_protects_misses_no_step() throws Exception {
        ChildJvm other = worker.inAnotherJvm("count", 150);
        List<Callable<Integer>> here = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            here.add(() -> worker.count(40));
        }
        assertThat(sum(here, other)).isEqualTo(THREADS * 40 + 150);
        assertThat(counter()).isEqualTo(THREADS * 40 + 150);
    }

    @Test
    void guarded_writes_under_leases_that_run_out_lose_nothing() throws Exception {
        ChildJvm other = worker.inAnotherJvm("guarded", 4);
        List<Callable<Integer>> here = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            here.add(() -> worker.countGuarded(4));
        }
        int committed = sum(here, other);
        assertThat(counter()).isEqualTo(committed);
        assertThat(committed).isBetween(1, 16);
    }

    /** Nobody polls here within an hour, so a waiter that gets the lock was woken. */
    @Test
    void a_release_wakes_the_next_holder_in_another_jvm() throws Exception {
        try (PostgresLocks locks = worker.locksThatNeverPoll()) {
            HeldLock held = locks.acquire(Worker.BATON);
            ChildJvm other = worker.inAnotherJvm("handover", HAND_OVERS);
            for (int i = 1; i < HAND_OVERS; i++) {
                releaseToWaiter(held);
                held = takeBack(locks);
            }
            releaseToWaiter(held);
            assertThat(done(Worker.output(other))).isEqualTo(HAND_OVERS);
        }
    }

    private void releaseToWaiter(HeldLock held) {
        Awaitility.await()
                .atMost(Worker.PATIENCE)
                .during(SETTLED) // right after it is registered a waiter asks by itself
                .until(() -> waiters() == 1);
        held.release();
    }

    /** Takes the lock without waiting for it, when the other JVM has had it and is registered no more. */
    private HeldLock takeBack(PostgresLocks locks) {
        Awaitility.await().atMost(Worker.PATIENCE).until(() -> waiters() == 0);
        return Awaitility.await()
                .atMost(Worker.PATIENCE)
                .until(
                        () -> locks.tryAcquire(AcquireRequest.of(Worker.BATON).waitFor(Duration.ZERO)),
                        Optional::isPresent)
                .orElseThrow();
    }

    private long waiters() {
        return Db.number(dataSource, "select count(*) from syncguard_locks_waiters");
    }
}
