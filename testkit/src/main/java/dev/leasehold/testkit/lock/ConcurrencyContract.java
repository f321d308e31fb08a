package dev.leasehold.testkit.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.Fence;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.engine.RenewingLocks;
import dev.leasehold.syncguard.RetryPolicy;
import dev.leasehold.syncguard.SyncGuardLocks;
import dev.leasehold.testkit.TestWaits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many threads on two nodes: what only the holder may touch is never touched by two. */
public class ConcurrencyContract extends LockContract {
    private static final Duration ALL = Duration.ofSeconds(TestWaits.TEST_LIMIT);

    @Test
    void a_counter_that_is_read_and_written_apart_loses_no_raise() {
        AtomicInteger counter = new AtomicInteger();
        List<Boolean> done = atOnce(6, node -> {
            for (int i = 0; i < 20; i++) {
                node.withLock(key("counter"), lock -> raise(counter));
            }
            return true;
        });
        assertThat(done).hasSize(6);
        assertThat(counter).hasValue(120);
    }

    /** Not atomic on purpose. */
    private static boolean raise(AtomicInteger counter) {
        int seen = counter.get();
        LockSupport.parkNanos(1_000);
        counter.set(seen + 1);
        return true;
    }

    @Test
    void no_two_are_inside_at_the_same_time() {
        AtomicInteger inside = new AtomicInteger();
        atOnce(6, node -> {
            for (int i = 0; i < 10; i++) {
                node.withLock(key("inside"), lock -> {
                    assertThat(inside.incrementAndGet()).isEqualTo(1);
                    return inside.decrementAndGet();
                });
            }
            return true;
        });
    }

    @Test
    void reads_and_writes_in_turn_give_one_two_three() {
        AtomicInteger shared = new AtomicInteger();
        List<Integer> seen = atOnce(
                3,
                node -> node.withLock(key("turns"), lock -> {
                    raise(shared);
                    return shared.get();
                }));
        assertThat(seen).containsExactlyInAnyOrder(1, 2, 3);
    }

    @Test
    void ten_workers_write_ten_different_entries() {
        List<Integer> entries = new ArrayList<>();
        atOnce(10, node -> node.withLock(key("entries"), lock -> entries.add(entries.size())));
        assertThat(entries).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }

    @Test
    void of_five_contenders_each_wins_or_loses() {
        CyclicBarrier allTried = new CyclicBarrier(5);
        List<Boolean> won = atOnce(5, node -> {
            var lock = node.tryAcquire(key("rush"));
            allTried.await();
            lock.ifPresent(HeldLock::close);
            return lock.isPresent();
        });
        assertThat(won).hasSize(5).containsOnlyOnce(true);
        assertThat(isLocked("rush")).isFalse();
    }

    @Test
    void under_retries_some_win_all_end_and_nothing_stays_locked() {
        RetryPolicy policy =
                RetryPolicy.DEFAULT.retryDelay(Duration.ofMillis(20)).timeout(Duration.ofSeconds(1));
        List<Boolean> won = atOnce(5, node -> {
            try {
                return SyncGuardLocks.of(node).withLock(request("stress"), policy, CancelSignal.none(), lock -> true);
            } catch (LockException e) {
                assertThat(e.code()).isEqualTo(LockErrorCode.ACQUISITION_TIMEOUT);
                return false;
            }
        });
        assertThat(won).hasSize(5).contains(true);
        assertThat(isLocked("stress")).isFalse();
    }

    @Test
    void fences_grow_in_the_order_in_which_the_lock_is_held() {
        AtomicReference<Fence> last = new AtomicReference<>(Fence.of(0));
        atOnce(6, node -> {
            for (int i = 0; i < 10; i++) {
                node.withLock(key("fences"), lock -> {
                    assertThat(lock.fence()).isGreaterThan(last.getAndSet(lock.fence()));
                    return true;
                });
            }
            return true;
        });
    }

    @Test
    void whatever_is_done_at_random_no_two_hold_the_same_key() {
        int keys = 3;
        List<AtomicInteger> inside =
                IntStream.range(0, keys).mapToObj(i -> new AtomicInteger()).toList();
        List<Integer> grants = atOnce(6, node -> {
            int held = 0;
            for (int i = 0; i < 40; i++) {
                int k = ThreadLocalRandom.current().nextInt(keys);
                held += attemptAtRandom(node, "fuzz" + k, inside.get(k));
            }
            return held;
        });
        assertThat(grants.stream().mapToInt(Integer::intValue).sum()).isPositive();
        IntStream.range(0, keys)
                .mapToObj(k -> "fuzz" + k)
                .forEach(this::awaitFree); // what came too late is on its way back
    }

    private int attemptAtRandom(RenewingLocks node, String name, AtomicInteger inside) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        Duration wait = Duration.ofMillis(random.nextInt(3) * 5L);
        HeldLock lock = node.tryAcquire(request(name).waitFor(wait)).orElse(null);
        if (lock == null) {
            return 0;
        }
        assertThat(inside.incrementAndGet()).as(name).isEqualTo(1);
        if (random.nextBoolean()) {
            assertThat(lock.extend(TTL)).isTrue();
        }
        inside.decrementAndGet();
        if (random.nextBoolean()) {
            lock.close();
        } else {
            assertThat(node.byLockId().release(lock.lockId().value())).isTrue();
        }
        return 1;
    }

    @Test
    void waiters_that_come_and_go_hold_up_nobody_and_leave_nothing_locked() {
        AtomicInteger inside = new AtomicInteger();
        List<Integer> grants = atOnce(6, node -> {
            int held = 0;
            for (int i = 0; i < 50; i++) {
                var waiting = node.async().tryAcquire(request("fickle").waitFor(NEVER));
                LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(50_000));
                if (ThreadLocalRandom.current().nextBoolean() && waiting.cancel(true)) {
                    continue;
                }
                HeldLock lock = held(inTime(ALL, waiting));
                assertThat(inside.incrementAndGet()).isEqualTo(1);
                inside.decrementAndGet();
                assertThat(lock.release()).isTrue();
                held++;
            }
            return held;
        });
        assertThat(grants.stream().mapToInt(Integer::intValue).sum()).isPositive();
        awaitFree("fickle");
    }

    /** Runs work in {@code threads} threads that start together, alternating between two nodes. */
    private <T> List<T> atOnce(int threads, Work<T> work) {
        LockOptions patient = LockOptions.DEFAULT.waitFor(NEVER);
        List<RenewingLocks> nodes = List.of(node(patient), node(patient));
        CyclicBarrier start = new CyclicBarrier(threads);
        IntFunction<CompletableFuture<T>> worker = i -> inBackground(() -> {
            start.await();
            return work.run(nodes.get(i % 2));
        });
        return IntStream.range(0, threads).mapToObj(worker).toList().stream()
                .map(one -> inTime(ALL, one))
                .toList();
    }

    private interface Work<T> {
        T run(RenewingLocks node) throws Exception;
    }
}
