package dev.leasehold.memory;

import static dev.leasehold.testkit.TestWaits.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LockStore.Watch;
import dev.leasehold.testkit.TestClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What the memory engine does beyond the contract. */
class MemoryLockStoreTest {
    private static final LockKey KEY = LockKey.of("key");
    private static final Duration TTL = Duration.ofSeconds(10);

    private final TestClock clock = new TestClock();
    private final MemoryLockStore store = new MemoryLockStore(clock);

    @Test
    void the_first_fence_of_a_key_is_one_and_none_is_skipped() {
        for (long expected = 1; expected <= 3; expected++) {
            AcquireAttempt attempt = AcquireAttempt.of(KEY, TTL);
            assertThat(((AcquireResult.Granted) store.acquire(attempt).join())
                            .fence()
                            .value())
                    .isEqualTo(expected);
            assertThat(store.acquire(AcquireAttempt.of(KEY, TTL)).join().ok()).isFalse();
            store.release(attempt.lockId()).join();
        }
    }

    @Test
    void a_row_dies_on_the_millisecond() {
        AtomicInteger now = new AtomicInteger(5_000);
        MemoryLockStore exact = new MemoryLockStore(now::get);
        AcquireAttempt attempt = AcquireAttempt.of(KEY, Duration.ofMillis(100));
        exact.acquire(attempt).join();

        now.set(5_000 + 100 + 999);
        assertThat(exact.isLocked(KEY).join()).isTrue();
        assertThat(exact.acquire(AcquireAttempt.of(KEY, TTL)).join())
                .isEqualTo(new AcquireResult.Locked(Duration.ofMillis(1)));
        now.incrementAndGet();
        assertThat(exact.isLocked(KEY).join()).isFalse();
        assertThat(exact.extend(attempt.lockId(), TTL).join().ok()).isFalse();
        assertThat(exact.acquire(AcquireAttempt.of(KEY, TTL)).join().ok()).isTrue();
    }

    @Test
    void dead_rows_are_swept_as_new_ones_come() {
        for (int i = 0; i < 10_000; i++) {
            store.acquire(AcquireAttempt.of(LockKey.of("key-" + i), Duration.ofMillis(1)))
                    .join();
            clock.advance(Duration.ofMillis(100));
        }
        assertThat(store.rowCount()).isLessThan(200);
    }

    @Test
    void live_rows_are_never_swept() {
        for (int i = 0; i < 1_000; i++) {
            store.acquire(AcquireAttempt.of(LockKey.of("key-" + i), TTL)).join();
        }
        assertThat(store.rowCount()).isEqualTo(1_000);
    }

    @Test
    void a_watch_wakes_when_it_begins_and_with_every_release_until_it_is_closed() {
        AtomicInteger wakeUps = new AtomicInteger();
        Watch watch = store.watch(KEY, wakeUps::incrementAndGet);
        assertThat(wakeUps).hasValue(1);

        acquireAndRelease(KEY);
        acquireAndRelease(LockKey.of("another"));
        assertThat(wakeUps).hasValue(2);

        watch.close();
        watch.close();
        acquireAndRelease(KEY);
        assertThat(wakeUps).hasValue(2);
        assertThat(store.watchedKeys()).isZero();
    }

    @Test
    void whoever_is_woken_may_use_the_store_and_take_its_time() {
        store.acquire(AcquireAttempt.of(KEY, TTL)).join();
        CompletableFuture<Boolean> seenByAnother = new CompletableFuture<>();
        try (Watch watch = store.watch(
                KEY,
                () -> seenByAnother.complete(
                        CompletableFuture.supplyAsync(() -> store.isLocked(KEY).join())
                                .join()))) {
            assertThat(watch).isNotNull();
            assertThat(seenByAnother).isCompletedWithValue(true);
        }
    }

    @Test
    void a_wake_up_that_throws_does_not_spoil_the_release() {
        store.watch(KEY, () -> {
            throw new IllegalStateException("woken");
        });
        AtomicInteger other = new AtomicInteger();
        store.watch(KEY, other::incrementAndGet);
        acquireAndRelease(KEY);
        assertThat(other).hasValue(2);
    }

    @Test
    void nobody_watches_when_nobody_waits() {
        try (MemoryLocks locks = MemoryLocks.on(store, LockOptions.DEFAULT)) {
            HeldLock holder = locks.acquire("key");
            assertThat(locks.tryAcquire(AcquireRequest.of("key").waitFor(Duration.ofMillis(20))))
                    .isEmpty();
            awaitNoWatch(store);
            var waiting = locks.async().tryAcquire(AcquireRequest.of("key").waitFor(TTL));
            assertThat(store.watchedKeys()).isEqualTo(1);
            holder.close();
            waiting.join().orElseThrow().close();
            awaitNoWatch(store);
        }
    }

    @Test
    void nobody_watches_after_a_wait_that_was_over_as_it_began() {
        AtomicLong now = new AtomicLong();
        MemoryLockStore hurried = new MemoryLockStore(() -> now.addAndGet(20_000));
        try (MemoryLocks locks = MemoryLocks.on(hurried, LockOptions.DEFAULT)) {
            hurried.acquire(AcquireAttempt.of(KEY, Duration.ofSeconds(30))).join();
            assertThat(locks.tryAcquire(AcquireRequest.of(KEY).waitFor(TTL))).isPresent();
            awaitNoWatch(hurried);
        }
    }

    private static void awaitNoWatch(MemoryLockStore store) {
        await().until(() -> store.watchedKeys() == 0);
    }

    @Test
    void a_store_is_ready_to_use() {
        try (MemoryLocks locks = MemoryLocks.create();
                HeldLock lock = locks.acquire("key")) {
            assertThat(locks.isLocked("key")).isTrue();
            assertThat(MemoryLocks.create(LockOptions.DEFAULT).isLocked("key"))
                    .as("in a store of its own")
                    .isFalse();
            assertThat(lock.isHeld()).isTrue();
        }
    }

    private void acquireAndRelease(LockKey key) {
        AcquireAttempt attempt = AcquireAttempt.of(key, TTL);
        assertThat(store.acquire(attempt).join().ok()).isTrue();
        assertThat(store.release(attempt.lockId()).join().ok()).isTrue();
    }
}
