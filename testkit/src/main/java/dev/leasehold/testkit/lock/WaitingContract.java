package dev.leasehold.testkit.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockEvent.Result;
import dev.leasehold.lock.LockEvent.Type;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.engine.RenewingLocks;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.testkit.OwnThreads;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Waiters stand in line, are woken when the lock becomes free, and do not wait longer than they said. */
public class WaitingContract extends LockContract {
    private static final int MOST_CLOCK_RACES = 5;

    @Test
    void a_waiter_is_granted_when_the_holder_releases() {
        Granted holder = grant("awaited");
        HeardEvents heard = new HeardEvents();
        RenewingLocks node = wokenNode(heard);
        CompletableFuture<HeldLock> waiting = inBackground(() -> node.acquire(patient("awaited")));
        awaitInLine(heard);
        assertThat(waiting).isNotDone();

        release(holder);
        HeldLock lock = soon(waiting);
        assertThat(lock.isHeld()).isTrue();
        assertThat(lock.fence()).isGreaterThan(holder.fence());
    }

    @Test
    void a_release_on_another_node_wakes_long_before_the_poll() {
        RenewingLocks there = anotherNode();
        HeldLock holder = there.acquire(key("remote"));
        HeardEvents heard = new HeardEvents();
        var waiting = wokenNode(heard).async().tryAcquire(patient("remote"));
        awaitInLine(heard);

        holder.close();
        held(soon(waiting));
    }

    @Test
    void a_release_between_the_refusal_and_the_line_is_not_missed() {
        RenewingLocks node = wokenNode(new HeardEvents());
        for (int i = 0; i < 50; i++) {
            Granted holder = grant("gap");
            CompletableFuture<Boolean> released = inBackground(() -> release(holder));
            held(node.tryAcquire(patient("gap"))).close();
            assertThat(soon(released)).isTrue();
        }
    }

    @Test
    void waiters_of_one_node_are_served_first_come_first_served() {
        Granted holder = grant("line");
        HeardEvents heard = new HeardEvents();
        RenewingLocks node = wokenNode(heard);
        List<Integer> served = new CopyOnWriteArrayList<>();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            int number = i;
            all.add(node.async().tryAcquire(patient("line")).thenAccept(lock -> {
                served.add(number);
                held(lock).close();
            }));
            awaitInLine(heard);
        }

        release(holder);
        all.forEach(LockContract::soon);
        assertThat(served).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }

    @Test
    void who_is_ready_to_wait_does_not_overtake_the_line() {
        Granted holder = grant("orderly");
        HeardEvents heard = new HeardEvents();
        RenewingLocks node = wokenNode(heard);
        var first = node.async().tryAcquire(patient("orderly"));
        awaitInLine(heard);
        var second = node.async().tryAcquire(patient("orderly"));

        release(holder);
        HeldLock lock = held(soon(first));
        assertThat(second).isNotDone();
        lock.close();
        held(soon(second));
    }

    @Test
    void waiters_on_several_nodes_are_all_served_without_polling() {
        Granted holder = grant("crowd");
        List<RenewingLocks> nodes = List.of(wokenNode(new HeardEvents()), wokenNode(new HeardEvents()));
        List<CompletableFuture<Void>> all = IntStream.range(0, 20)
                .mapToObj(i -> nodes.get(i % 2)
                        .async()
                        .tryAcquire(patient("crowd"))
                        .thenAccept(lock -> held(lock).close()))
                .toList();

        release(holder);
        assertThat(all).allSatisfy(LockContract::soon);
        assertThat(isLocked("crowd")).isFalse();
    }

    @Test
    @Tag("slow")
    void a_waiter_is_granted_at_the_holders_expiry_although_nobody_wakes_it() {
        Duration ttl = Duration.ofMillis(300);
        Granted holder = grant(attempt("abandoned", ttl));
        HeldLock lock = held(wokenNode(new HeardEvents()).tryAcquire(patient("abandoned")));

        assertThat(lock.acquiredAt()).isAfterOrEqualTo(holder.expiresAt().plusSeconds(1));
    }

    @Test
    void wake_ups_that_are_lost_cost_no_more_than_a_poll() {
        FaultyStore deaf = new FaultyStore(store());
        deaf.loseWakeUps();
        HeardEvents heard = new HeardEvents();
        RenewingLocks node = nodeOn(
                deaf, LockOptions.DEFAULT.pollInterval(Duration.ofMillis(200)).listener(heard));
        Granted holder = grant("polled");
        var waiting = node.async().tryAcquire(patient("polled"));
        await(() -> heard.count(Type.ACQUIRE, Result.FAIL) >= 1);

        release(holder);
        held(soon(waiting));
    }

    /**
     * A question that is on its way when the clock is moved may have read the clock before, and be granted after. Only then is the lock
     * as old as that question, so the wait is repeated.
     */
    @Test
    void waiting_does_not_shorten_the_ttl() {
        boolean isCountedFromTheGrant = false;
        for (int i = 0; i < MOST_CLOCK_RACES && !isCountedFromTheGrant; i++) {
            Granted holder = grant("waited:" + i);
            HeardEvents heard = new HeardEvents();
            var waiting =
                    wokenNode(heard).async().tryAcquire(patient("waited:" + i).ttl(Duration.ofSeconds(10)));
            awaitInLine(heard);
            clock().advance(Duration.ofSeconds(8));
            Instant free = now();
            release(holder);
            HeldLock lock = held(soon(waiting));
            assertThat(lock.expiresAt()).isEqualTo(lock.acquiredAt().plusSeconds(10));
            isCountedFromTheGrant = lock.acquiredAt().isAfter(free.minusSeconds(1));
        }
        assertThat(isCountedFromTheGrant).isTrue();
    }

    @Test
    void who_waited_long_enough_is_told_how_long_and_how_often_it_tried() {
        grant("occupied");
        long start = System.nanoTime();
        var error = assertFails(
                LockErrorCode.ACQUISITION_TIMEOUT,
                () -> locks().acquire(request("occupied").waitFor(Duration.ofMillis(300))));

        assertThat(error.getMessage())
                .startsWith("lock '" + key("occupied") + "' was held by others for ")
                .containsPattern(" \\([1-9]\\d* attempts\\): wait longer, or try again later$");
        assertThat(error.key()).isEqualTo(key("occupied"));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
        assertThat(locks().tryAcquire(request("occupied").waitFor(Duration.ofMillis(100))))
                .isEmpty();
    }

    @Test
    void acquire_waits_as_long_as_the_options_say() {
        grant("occupied");
        RenewingLocks hasty = node(LockOptions.DEFAULT.waitFor(Duration.ofMillis(50)));
        assertFails(LockErrorCode.ACQUISITION_TIMEOUT, () -> hasty.acquire(key("occupied")));
    }

    @Test
    void who_does_not_wait_is_answered_at_once() {
        grant("occupied");
        assertThat(soon(locks().async().tryAcquire(request("occupied"))).isEmpty())
                .isTrue();
        assertFails(
                LockErrorCode.ACQUISITION_TIMEOUT,
                () -> locks().acquire(request("occupied").waitFor(Duration.ZERO)));
    }

    @Test
    void when_the_first_in_line_runs_out_of_time_the_next_moves_up() {
        Granted holder = grant("moving");
        HeardEvents heard = new HeardEvents();
        RenewingLocks node = wokenNode(heard);
        var hasty = node.async().tryAcquire(request("moving").waitFor(Duration.ofMillis(300)));
        awaitInLine(heard);
        var steady = node.async().tryAcquire(patient("moving"));
        assertThat(soon(hasty).isEmpty()).isTrue();

        release(holder);
        held(soon(steady));
    }

    @Test
    void lines_of_different_keys_move_independently() {
        Granted slow = grant("slow");
        Granted quick = grant("quick");
        RenewingLocks node = wokenNode(new HeardEvents());
        var forSlow = node.async().tryAcquire(patient("slow"));
        var forQuick = node.async().tryAcquire(patient("quick"));

        release(quick);
        held(soon(forQuick));
        assertThat(forSlow).isNotDone();
        release(slow);
        held(soon(forSlow));
    }

    @Test
    void a_thousand_waiters_take_no_threads() {
        grant("popular");
        HeardEvents heard = new HeardEvents();
        OwnThreads threads = new OwnThreads();
        RenewingLocks node = threads.call(() -> wokenNode(heard));
        List<CompletableFuture<?>> waiting = threads.call(() -> IntStream.range(0, 1000)
                .<CompletableFuture<?>>mapToObj(i -> node.async().tryAcquire(patient("popular")))
                .toList());
        awaitInLine(heard);

        await(() -> threads.count() < OwnThreads.FEW);
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        waiting.forEach(one -> one.cancel(true));
        await(() -> node.tryAcquire(key("popular")).isEmpty());
    }

    private AcquireRequest patient(String name) {
        return request(name).waitFor(NEVER);
    }
}
