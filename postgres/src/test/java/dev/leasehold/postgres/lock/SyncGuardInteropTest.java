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
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Leasehold and SyncGuard clients exclude each other on the same tables, also where SyncGuard alone would not. */
@Timeout(60)
@Tag("slow")
class SyncGuardInteropTest {
    private static final Duration TTL = Duration.ofSeconds(30);
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
        assertThat(locks.release(ours.lockId().value())).isTrue();
        assertThat(syncGuard.acquire("shared", 30_000).orElseThrow().fence()).isEqualTo(theirs.fence() + 2);
    }

    @Test
    void rows_that_syncguard_rewrote_show_no_holder_of_ours() throws Exception {
        locks.acquire(AcquireRequest.of("rewritten")
                .ttl(Duration.ofMillis(1))
                .withoutRenewal()
                .holder(US));
        Awaitility.await().until(() -> !locks.isLocked("rewritten"));
        Acquired theirs = syncGuard.acquire("rewritten", 30_000).orElseThrow();
        LockInfo info = locks.getById(theirs.lockId()).orElseThrow();
        assertThat(info.holder()).isEmpty();
        assertThat(locks.tryAcquire(AcquireRequest.of("rewritten").holder(US))).isEmpty();
    }

    @Test
    void w1_a_grant_is_not_shortened_by_the_wait_for_the_advisory_lock() throws Exception {
        CompletableFuture<Optional<Granted>> waiting;
        try (Connection other = Db.transaction(dataSource)) {
            Db.number(other, "select count(pg_advisory_xact_lock(hashtext('slow')))");
            waiting = CompletableFuture.supplyAsync(() -> tryAcquire("slow", Duration.ofSeconds(10)));
            Awaitility.await().pollDelay(Duration.ofMillis(1500)).until(() -> !waiting.isDone());
            other.commit();
        }
        Granted granted = waiting.get(5, TimeUnit.SECONDS).orElseThrow();
        assertThat(granted.expiresAt()).isAfter(Instant.now().plusMillis(9_000));
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
        Granted ours = (Granted) locks.store()
                .blocking()
                .acquire(AcquireAttempt.of(LockKey.of("edge"), Duration.ofMillis(200))
                        .holder(US));
        Awaitility.await().until(() -> !locks.isLocked("edge"));
        CountDownLatch looked = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        syncGuard.beforeWrite(() -> {
            looked.countDown();
            await(goOn);
        });
        CompletableFuture<Optional<Acquired>> theirs = supply(() -> syncGuard.acquire("edge", 30_000));
        await(looked);
        // by the wall clock the grant is dead; take the clock back so that our side would still find it live
        PostgresLocks earlier = PostgresLocks.builder(dataSource)
                .testClock(() -> ours.expiresAt().toEpochMilli())
                .build();
        CompletableFuture<Boolean> extended = supply(() -> extension.test(earlier.store(), ours));
        Awaitility.await().pollDelay(Duration.ofMillis(300)).until(() -> true);
        assertThat(extended).as("waits for the advisory lock").isNotDone();
        goOn.countDown();
        assertThat(theirs.get(5, TimeUnit.SECONDS)).isPresent();
        assertThat(extended.get(5, TimeUnit.SECONDS)).isFalse();
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
        Awaitility.await().pollDelay(Duration.ofMillis(300)).until(() -> true);
        assertThat(ours).as("waits for the advisory lock").isNotDone();
        goOn.countDown();
        assertThat(theirs.get(5, TimeUnit.SECONDS)).isPresent();
        assertThat(ours.get(5, TimeUnit.SECONDS)).isEmpty();
    }

    @Test
    void our_waiter_gets_a_lock_that_syncguard_releases_without_telling() throws Exception {
        Acquired theirs = syncGuard.acquire("silent", 30_000).orElseThrow();
        var waiting = locks.tryAcquireAsync(AcquireRequest.of("silent").waitFor(Duration.ofSeconds(20)));
        assertThat(syncGuard.release(theirs.lockId())).isTrue();
        assertThat(waiting.get(5, TimeUnit.SECONDS)).isPresent();
    }

    @Test
    void mixed_workers_on_one_key_never_overlap_and_fences_grow() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        List<Long> fences = Collections.synchronizedList(new ArrayList<>());
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
        List<CompletableFuture<Integer>> workers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            boolean theirs = i % 2 == 0;
            workers.add(supply(() -> {
                int held = 0;
                while (System.nanoTime() < end) {
                    held += theirs ? asSyncGuard(inside, overlaps, fences) : asLeasehold(inside, overlaps, fences);
                }
                return held;
            }));
        }
        int ofSyncGuard = 0;
        int ofLeasehold = 0;
        for (int i = 0; i < workers.size(); i++) {
            int held = workers.get(i).get(10, TimeUnit.SECONDS);
            ofSyncGuard += i % 2 == 0 ? held : 0;
            ofLeasehold += i % 2 == 0 ? 0 : held;
        }
        assertThat(overlaps).hasValue(0);
        assertThat(fences).isSorted().doesNotHaveDuplicates();
        assertThat(ofSyncGuard).isPositive();
        assertThat(ofLeasehold).isPositive();
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
        assertThat(locks.release(granted.get().lockId().value())).isTrue();
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
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
