package dev.leasehold.postgres.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.LockStore;
import dev.leasehold.postgres.Db;
import dev.leasehold.postgres.lock.SyncGuardClient.Acquired;
import dev.leasehold.testkit.TestWaits;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Leasehold and SyncGuard clients exclude each other on the same tables, also where SyncGuard alone would not. */
@Timeout(TestWaits.TEST_LIMIT)
@Tag("slow")
class SyncGuardInteropTest {
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final int TURNS = 10;
    private static final Holder US = Holder.of("billing", "1");
    private PGSimpleDataSource dataSource;
    private PostgresLocks locks;
    private SyncGuardClient syncGuard;

    @BeforeEach
    void open() {
        dataSource = Db.withTables();
        locks = PostgresLocks.create(dataSource);
        syncGuard = new SyncGuardClient(dataSource);
    }

    @AfterEach
    void close() {
        locks.close();
    }

    private Optional<Granted> tryAcquire(String key, Duration ttl) {
        return locks.store().blocking().acquire(AcquireAttempt.of(LockKey.of(key), ttl)) instanceof Granted granted
                ? Optional.of(granted)
                : Optional.empty();
    }

    @Test
    void each_refuses_what_the_other_holds_and_fences_go_on() throws Exception {
        Acquired theirs = syncGuard.acquire("shared", 30_000).orElseThrow();
        assertThat(tryAcquire("shared", TTL)).isEmpty();
        assertThat(syncGuard.release(theirs.lockId())).isTrue();

        Granted ours = tryAcquire("shared", TTL).orElseThrow();
        assertThat(syncGuard.acquire("shared", 30_000)).isEmpty();
        assertThat(ours.fence().value()).isEqualTo(theirs.fence() + 1);
        assertThat(syncGuard.extend(ours.lockId().value(), 60_000)).isTrue();
        assertThat(locks.byLockId().release(ours.lockId().value())).isTrue();
        assertThat(syncGuard.acquire("shared", 30_000).orElseThrow().fence()).isEqualTo(theirs.fence() + 2);
    }

    @Test
    void rows_that_syncguard_rewrote_show_no_holder_of_ours() throws Exception {
        grantInThePast("rewritten");
        Acquired theirs = syncGuard.acquire("rewritten", 30_000).orElseThrow();
        LockInfo info = locks.byLockId().get(theirs.lockId()).orElseThrow();
        assertThat(info.holder()).isEmpty();
        assertThat(locks.tryAcquire(AcquireRequest.of("rewritten").holder(US))).isEmpty();
    }

    /** A grant of ours that is dead by now. */
    private Granted grantInThePast(String key) {
        try (PostgresLocks past = nodeAt(Instant.now().minusSeconds(60))) {
            AcquireAttempt attempt =
                    AcquireAttempt.of(LockKey.of(key), Duration.ofSeconds(1)).holder(US);
            return (Granted) past.store().blocking().acquire(attempt);
        } finally {
            assertThat(locks.isLocked(key)).isFalse();
        }
    }

    private PostgresLocks nodeAt(Instant time) {
        return PostgresLocks.builder(dataSource).testClock(time::toEpochMilli).build();
    }

    @Test
    void w1_a_grant_is_not_shortened_by_the_wait_for_the_advisory_lock() throws Exception {
        CompletableFuture<Optional<Granted>> waiting;
        Instant begin;
        Instant end;
        try (Connection other = Db.transaction(dataSource)) {
            Db.number(other, "select count(pg_advisory_xact_lock(hashtext('slow')))");
            waiting = supply(() -> tryAcquire("slow", TTL));
            Db.awaitAdvisoryWait(dataSource, "slow");
            begin = Instant.now();
            TestWaits.await().until(() -> Instant.now().isAfter(begin.plusMillis(100)));
            end = Instant.now().truncatedTo(ChronoUnit.MILLIS);
            other.commit();
        }
        Granted granted = TestWaits.get(waiting).orElseThrow();
        assertThat(granted.expiresAt()).isAfterOrEqualTo(end.plus(TTL));
    }

    @Test
    void w2_a_syncguard_acquire_that_found_the_lock_dead_and_our_extension_do_not_both_succeed() throws Exception {
        extensionLoses(
                (store, ours) -> store.blocking().extend(ours.lockId(), TTL).ok());
    }

    @Test
    void nor_do_it_and_a_renewal_by_the_holder() throws Exception {
        extensionLoses(
                (store, ours) -> store.renew(LockKey.of("edge"), US, TTL).join().isPresent());
    }

    private void extensionLoses(BiPredicate<LockStore, Granted> extension) throws Exception {
        Granted ours = grantInThePast("edge");
        CountDownLatch looked = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        syncGuard.beforeWrite(() -> {
            looked.countDown();
            await(goOn);
        });
        CompletableFuture<Optional<Acquired>> theirs = supply(() -> syncGuard.acquire("edge", 30_000));
        await(looked);
        // by the wall clock the grant is dead; take the clock back so that our side would still find it live
        PostgresLocks earlier = nodeAt(ours.expiresAt());
        CompletableFuture<Boolean> extended = supply(() -> extension.test(earlier.store(), ours));
        Db.awaitAdvisoryWait(dataSource, "edge");
        assertThat(extended).as("waits for the advisory lock").isNotDone();
        goOn.countDown();
        assertThat(TestWaits.get(theirs)).isPresent();
        assertThat(TestWaits.get(extended)).isFalse();
        earlier.close();
    }

    @Test
    void w3_our_acquire_waits_for_a_syncguard_acquire_that_is_under_way() throws Exception {
        CountDownLatch looked = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        syncGuard.beforeWrite(() -> {
            looked.countDown();
            await(goOn);
        });
        CompletableFuture<Optional<Acquired>> theirs = supply(() -> syncGuard.acquire("contested", 30_000));
        await(looked);
        CompletableFuture<Optional<Granted>> ours = supply(() -> tryAcquire("contested", TTL));
        Db.awaitAdvisoryWait(dataSource, "contested");
        assertThat(ours).as("waits for the advisory lock").isNotDone();
        goOn.countDown();
        assertThat(TestWaits.get(theirs)).isPresent();
        assertThat(TestWaits.get(ours)).isEmpty();
    }

    @Test
    void our_waiter_gets_a_lock_that_syncguard_releases_without_telling() throws Exception {
        Acquired theirs = syncGuard.acquire("silent", 30_000).orElseThrow();
        var waiting = locks.async().tryAcquire(AcquireRequest.of("silent").waitFor(Duration.ofMinutes(2)));
        assertThat(syncGuard.release(theirs.lockId())).isTrue();
        assertThat(TestWaits.get(waiting)).isPresent();
    }

    @Test
    void mixed_workers_on_one_key_never_overlap_and_fences_grow() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        List<Long> fences = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger ofSyncGuard = new AtomicInteger();
        AtomicInteger ofLeasehold = new AtomicInteger();
        List<CompletableFuture<Boolean>> workers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            boolean theirs = i % 2 == 0;
            workers.add(supply(() -> {
                while (ofSyncGuard.get() < TURNS || ofLeasehold.get() < TURNS || fences.size() < 10 * TURNS) {
                    if (theirs) {
                        ofSyncGuard.addAndGet(asSyncGuard(inside, overlaps, fences));
                    } else {
                        ofLeasehold.addAndGet(asLeasehold(inside, overlaps, fences));
                    }
                }
                return true;
            }));
        }
        workers.forEach(worker -> assertThat(worker.join()).isTrue());
        assertThat(overlaps).hasValue(0);
        assertThat(fences).isSorted().doesNotHaveDuplicates();
    }

    private int asSyncGuard(AtomicInteger inside, AtomicInteger overlaps, List<Long> fences) throws Exception {
        Optional<Acquired> acquired = syncGuard.acquire("hot", 10_000);
        if (acquired.isEmpty()) {
            return 0;
        }
        enter(inside, overlaps, fences, acquired.get().fence());
        assertThat(syncGuard.release(acquired.get().lockId())).isTrue();
        return 1;
    }

    private int asLeasehold(AtomicInteger inside, AtomicInteger overlaps, List<Long> fences) {
        Optional<Granted> granted = tryAcquire("hot", Duration.ofSeconds(10));
        if (granted.isEmpty()) {
            return 0;
        }
        enter(inside, overlaps, fences, granted.get().fence().value());
        assertThat(locks.byLockId().release(granted.get().lockId().value())).isTrue();
        return 1;
    }

    private static void enter(AtomicInteger inside, AtomicInteger overlaps, List<Long> fences, long fence) {
        if (inside.incrementAndGet() != 1) {
            overlaps.incrementAndGet();
        }
        fences.add(fence);
        inside.decrementAndGet();
    }

    private interface Work<T> {
        T run() throws Exception;
    }

    private static <T> CompletableFuture<T> supply(Work<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(work.run());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(TestWaits.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
