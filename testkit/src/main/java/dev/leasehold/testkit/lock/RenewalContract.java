package dev.leasehold.testkit.lock;

import static dev.leasehold.testkit.TestWaits.inSeveralTries;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockEvent.Reason;
import dev.leasehold.lock.LockEvent.Type;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockLostException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.engine.RenewingLocks;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A held lock renews itself; a holder that has lost it learns so, before anybody else can have it by expiry. */
@Tag("slow") // waits for real time
@Execution(ExecutionMode.CONCURRENT) // side by side, since each test has a fixture of its own
public class RenewalContract extends LockContract {
    /** Renewed three times a second. */
    private static final Duration SHORT = Duration.ofMillis(900);

    private final LockException down = new LockException(LockErrorCode.SERVICE_UNAVAILABLE, "down");

    @Test
    void a_held_lock_renews_itself() {
        inSeveralTries(i -> {
            HeldLock lock = locks().acquire(request("renewed" + i).ttl(SHORT));
            awaitRenewal(lock);
            assertThat(lock.isHeld()).isTrue();
            assertThat(blocking().lookup(lock.lockId()).map(LockInfo::expiresAt))
                    .hasValueSatisfying(shown -> assertThat(shown).isAfterOrEqualTo(lock.expiresAt()));
        });
    }

    private static void awaitRenewal(HeldLock lock) {
        awaitRenewal(lock, lock.expiresAt());
    }

    private static void awaitRenewal(HeldLock lock, Instant first) {
        CompletableFuture<Void> lost = new CompletableFuture<>();
        lock.onLost(() -> lost.complete(null));
        await(() -> lost.isDone() || lock.expiresAt().isAfter(first));
        assertThat(lock.expiresAt()).isAfter(first);
    }

    @Test
    void a_renewed_lock_keeps_others_out_for_longer_than_its_ttl() {
        RenewingLocks other = anotherNode();
        inSeveralTries(i -> {
            HeldLock lock = locks().acquire(request("kept" + i).ttl(SHORT));
            Instant end = lock.expiresAt().plusMillis(1100);
            await(() -> {
                assertThat(other.tryAcquire(key("kept" + i))).isEmpty();
                return now().isAfter(end);
            });
            assertThat(lock.release()).isTrue();
        });
    }

    @Test
    void many_locks_are_renewed_together() {
        inSeveralTries(i -> {
            List<HeldLock> all = Stream.of("a", "b", "c")
                    .map(name -> locks().acquire(request(name + i).ttl(SHORT)))
                    .toList();
            List<Instant> first = all.stream().map(HeldLock::expiresAt).toList();
            IntStream.range(0, 3).forEach(n -> awaitRenewal(all.get(n), first.get(n)));
        });
    }

    @Test
    void renewal_ends_with_the_release() {
        inSeveralTries(i -> {
            HeardEvents heard = new HeardEvents();
            RenewingLocks node = node(LockOptions.DEFAULT.listener(heard));
            HeldLock ended = node.acquire(request("ended" + i).ttl(SHORT));
            CompletableFuture<Void> lost = new CompletableFuture<>();
            ended.onLost(() -> lost.complete(null));
            ended.release();

            awaitRenewal(node.acquire(request("other" + i).ttl(SHORT)));
            assertThat(heard.all(Type.EXTEND))
                    .noneMatch(e -> ended.lockId().hash().equals(e.lockIdHash()));
            assertThat(heard.all(Type.LOST)).isEmpty();
            assertThat(lost).isNotDone();
        });
    }

    @Test
    void extending_by_hand_sets_the_ttl_of_the_renewals() {
        inSeveralTries(i -> {
            HeldLock lock = locks().acquire(request("shortened" + i));
            assertThat(lock.extend(SHORT)).isTrue();
            assertNear(lock.expiresAt(), now().plus(SHORT));
            awaitRenewal(lock);
            assertThat(lock.expiresAt()).isBefore(now().plus(SHORT).plusMillis(250));
        });
    }

    @Test
    void without_renewal_the_holder_learns_of_the_end_before_anybody_else_can_take_the_lock() {
        inSeveralTries(i -> {
            HeldLock lock = locks().acquire(request("ending" + i).ttl(SHORT).withoutRenewal());
            CompletableFuture<Boolean> refusedAtLoss = new CompletableFuture<>();
            lock.onLost(() -> refusedAtLoss.complete(isRefused("ending" + i)));
            assertThat(lock.isHeld()).isTrue();

            await(() -> !lock.isHeld());
            assertThatThrownBy(lock::checkpoint).isInstanceOf(LockLostException.class);
            assertThat(soon(refusedAtLoss)).isTrue();
        });
    }

    @Test
    void a_holder_whose_renewals_fail_learns_of_it_before_anybody_else_can_take_the_lock() {
        FaultyStore store = new FaultyStore(store());
        store.failExtensions(down);
        RenewingLocks node = nodeOn(store, LockOptions.DEFAULT);
        inSeveralTries(i -> {
            HeldLock lock = node.acquire(request("cut-off" + i).ttl(SHORT));
            CompletableFuture<Boolean> refusedAtLoss = new CompletableFuture<>();
            lock.onLost(() -> refusedAtLoss.complete(isRefused("cut-off" + i)));

            assertThat(soon(refusedAtLoss)).isTrue();
            assertThat(lock.isHeld()).isFalse();
        });
    }

    @Test
    void a_renewal_that_failed_is_tried_again() {
        Duration ttl = Duration.ofMillis(1500);
        inSeveralTries(i -> {
            FaultyStore store = new FaultyStore(store());
            HeldLock lock = nodeOn(store, LockOptions.DEFAULT)
                    .acquire(request("healed" + i).ttl(ttl));
            store.failExtensions(down);
            await(() -> store.failedExtensions() >= 2);

            store.failExtensions(null);
            awaitRenewal(lock);
            assertThat(lock.isHeld()).isTrue();
        });
    }

    @Test
    void a_holder_whose_lock_was_taken_is_told() {
        HeardEvents heard = new HeardEvents();
        HeldLock lock = node(LockOptions.DEFAULT.listener(heard))
                .acquire(request("taken").ttl(SHORT));
        CompletableFuture<Thread> told = new CompletableFuture<>();
        lock.onLost(() -> told.complete(Thread.currentThread()));
        outlive(SHORT);
        Granted present = takeOver("taken");

        assertThat(soon(told)).isNotSameAs(Thread.currentThread());
        assertThat(lock.isHeld()).isFalse();
        assertThatThrownBy(lock::checkpoint)
                .isInstanceOfSatisfying(LockLostException.class, lost -> {
                    assertThat(lost.key()).isEqualTo(key("taken"));
                    assertThat(lost.fence()).isEqualTo(lock.fence());
                })
                .hasMessageContaining("was lost");
        await(() -> !heard.all(Type.LOST).isEmpty());
        assertThat(heard.all(Type.LOST))
                .singleElement()
                .satisfies(
                        e -> assertThat(e.keyHash()).isEqualTo(lockKey("taken").hash()));
        assertThat(lock.extend(SHORT)).isFalse();
        assertThat(lock.release()).isFalse();
        assertThat(release(present)).isTrue();
    }

    /** The jump of the clock races with a renewal that was under way: it may have to be made again. */
    private Granted takeOver(String name) {
        while (isRefused(name)) {
            outlive(SHORT);
        }
        outlive(TTL);
        return grant(name);
    }

    @Test
    void a_holder_whose_lock_was_released_elsewhere_is_told_why() {
        HeardEvents heard = new HeardEvents();
        HeldLock lock = node(LockOptions.DEFAULT.listener(heard))
                .acquire(request("ended").ttl(SHORT));
        CompletableFuture<Void> told = new CompletableFuture<>();
        lock.onLost(() -> told.complete(null));
        locks().byLockId().release(lock.lockId().value());

        soon(told);
        await(() -> !heard.all(Type.LOST).isEmpty());
        assertThat(heard.all(Type.LOST))
                .singleElement()
                .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.NOT_FOUND));
    }

    @Test
    void a_failed_extension_by_hand_is_a_loss_too() {
        HeldLock lock = locks().acquire(request("found-out").withoutRenewal());
        CompletableFuture<Void> told = new CompletableFuture<>();
        lock.onLost(() -> told.complete(null));
        outlive(TTL);

        assertThat(lock.extend(TTL)).isFalse();
        soon(told);
        assertThat(lock.isHeld()).isFalse();
    }

    @Test
    void whoever_asks_after_the_loss_is_told_at_once_and_one_slow_listener_does_not_hold_up_another() {
        HeldLock lock = locks().acquire(request("late").withoutRenewal());
        List<String> calls = new CopyOnWriteArrayList<>();
        CompletableFuture<Void> gate = new CompletableFuture<>();
        lock.onLost(() -> {
            gate.join();
            calls.add("slow");
        });
        outlive(TTL);
        lock.extend(TTL);

        CompletableFuture<Void> late = new CompletableFuture<>();
        lock.onLost(() -> late.complete(null));
        soon(late);
        assertThat(calls).isEmpty();
        gate.complete(null);
        await(() -> calls.size() == 1);
    }
}
