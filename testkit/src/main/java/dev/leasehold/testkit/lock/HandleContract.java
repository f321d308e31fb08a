package dev.leasehold.testkit.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockLostException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOptions.ReleaseErrorHandler;
import dev.leasehold.lock.engine.RenewingLocks;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A handle gives its lock back once, whatever happens, and closing it never throws. */
public class HandleContract extends LockContract {
    private final LockException down = new LockException(LockErrorCode.SERVICE_UNAVAILABLE, "down");

    @Test
    void leaving_the_scope_gives_the_lock_back() {
        try (HeldLock lock = locks().acquire(key("scope"))) {
            assertThat(lock.isHeld()).isTrue();
            assertThat(isLocked("scope")).isTrue();
        }
        assertThat(isLocked("scope")).isFalse();
    }

    @Test
    void leaving_the_scope_with_an_exception_gives_the_lock_back() {
        assertThatThrownBy(() -> {
                    try (HeldLock lock = locks().acquire(key("thrown"))) {
                        throw new IllegalStateException("fence " + lock.fence());
                    }
                })
                .isInstanceOf(IllegalStateException.class)
                .hasNoSuppressedExceptions();
        assertThat(isLocked("thrown")).isFalse();
    }

    @Test
    void releasing_by_hand_counts_once() {
        HeldLock lock = locks().acquire(key("by-hand"));
        assertThat(lock.release()).isTrue();
        assertThat(isLocked("by-hand")).isFalse();
        assertThat(lock.release()).isFalse();
        lock.close();
    }

    @Test
    void a_handle_knows_its_grant() {
        HeldLock lock = locks().acquire(request("known").ttl(Duration.ofSeconds(10)));
        assertThat(lock.key()).isEqualTo(lockKey("known"));
        assertThat(locks().byLockId().get(lock.lockId().value())).hasValueSatisfying(info -> {
            assertThat(info.fence()).isEqualTo(lock.fence());
            assertThat(info.acquiredAt()).isEqualTo(lock.acquiredAt());
            assertThat(info.expiresAt()).isEqualTo(lock.expiresAt());
        });
        assertThat(lock.toString()).doesNotContain(lock.lockId().value());
    }

    @Test
    void extending_through_the_handle_keeps_the_lock_past_its_first_expiry() {
        HeldLock lock = locks().acquire(request("extended").withoutRenewal());
        Instant first = lock.expiresAt();
        assertThat(lock.extend(TTL.multipliedBy(2))).isTrue();
        assertThat(lock.expiresAt()).isAfter(first);

        outlive(TTL);
        assertThat(isLocked("extended")).isTrue();
        assertThat(lock.release()).isTrue();
    }

    @Test
    void a_refused_attempt_gives_no_handle_and_leaves_the_holder() {
        HeldLock holder = locks().acquire(key("taken"));
        assertThat(locks().tryAcquire(key("taken"))).isEmpty();
        assertThat(isLocked("taken")).isTrue();
        assertThat(holder.release()).isTrue();
    }

    @Test
    void nested_scopes_are_left_from_the_inside() {
        try (HeldLock outer = locks().acquire(key("outer"))) {
            try (HeldLock inner = locks().acquire(key("inner"))) {
                assertThat(List.of(outer, inner)).allMatch(HeldLock::isHeld);
            }
            assertThat(isLocked("inner")).isFalse();
            assertThat(isLocked("outer")).isTrue();
        }
        assertThat(isLocked("outer")).isFalse();
    }

    @Test
    void after_release_the_handle_says_no_to_everything() {
        HeldLock lock = locks().acquire(key("over"));
        lock.release();
        assertThat(lock.release()).isFalse();
        assertThat(lock.extend(TTL)).isFalse();
        assertThat(lock.isHeld()).isFalse();
        assertThatThrownBy(lock::checkpoint)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("was released");
        assertThat(isLocked("over")).isFalse();
    }

    @Test
    void scopes_at_the_same_time_all_give_back() {
        List<CompletableFuture<Boolean>> scopes = Stream.of("a", "b", "c")
                .map(name -> inBackground(() -> {
                    try (HeldLock lock = locks().acquire(key(name))) {
                        return lock.isHeld();
                    }
                }))
                .toList();
        assertThat(scopes.stream().map(LockContract::soon)).containsOnly(true);
        assertThat(List.of("a", "b", "c")).noneMatch(this::isLocked);
    }

    @Test
    void a_handle_can_be_closed_by_an_interrupted_thread() {
        HeldLock lock = locks().acquire(key("interrupted"));
        Thread.currentThread().interrupt();
        lock.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(isLocked("interrupted")).isFalse();
    }

    @Test
    void however_often_it_is_closed_the_store_is_asked_once() {
        FaultyStore store = new FaultyStore(store());
        HeldLock lock = nodeOn(store, LockOptions.DEFAULT).acquire(key("once"));
        List<CompletableFuture<Boolean>> all = IntStream.range(0, 6)
                .mapToObj(i -> inBackground(() -> {
                    lock.close();
                    return lock.release();
                }))
                .toList();
        assertThat(all.stream().map(LockContract::soon)).containsOnly(false);
        assertThat(store.releases()).isEqualTo(1);
        assertThat(isLocked("once")).isFalse();
    }

    @Test
    void closing_waits_for_the_release_that_is_under_way() {
        CompletableFuture<Void> gate = new CompletableFuture<>();
        FaultyStore store = new FaultyStore(store());
        HeldLock lock = nodeOn(store, LockOptions.DEFAULT).acquire(key("slow"));
        store.holdReleasesUntil(gate);
        CompletableFuture<Boolean> release = inBackground(lock::release);
        await(() -> store.releases() == 1);
        CompletableFuture<Boolean> close = inBackground(() -> {
            lock.close();
            return isLocked("slow");
        });
        assertThat(lock.release()).isFalse();
        assertThat(close).isNotDone();

        gate.complete(null);
        assertThat(soon(release)).isTrue();
        assertThat(soon(close)).isFalse();
        assertThat(store.releases()).isEqualTo(1);
    }

    @Test
    void a_release_that_fails_is_thrown_by_hand_and_told_on_close() {
        FaultyStore store = new FaultyStore(store());
        List<ReleaseErrorHandler.Context> told = new CopyOnWriteArrayList<>();
        RenewingLocks node = nodeOn(store, LockOptions.DEFAULT.onReleaseError((error, context) -> {
            assertThat(error).isSameAs(down);
            told.add(context);
        }));
        HeldLock byHand = node.acquire(key("by-hand"));
        HeldLock onClose = node.acquire(key("on-close"));
        store.failReleases(down);

        assertFails(LockErrorCode.SERVICE_UNAVAILABLE, byHand::release);
        byHand.close();
        assertThat(told).isEmpty();
        onClose.close();
        onClose.close();
        assertThat(told)
                .containsExactly(new ReleaseErrorHandler.Context(key("on-close"), onClose.lockId(), "disposal"));
        assertThat(byHand.release()).isFalse();
    }

    @Test
    void any_failure_is_told_as_a_lock_exception_and_a_throwing_handler_does_no_harm() {
        FaultyStore store = new FaultyStore(store());
        List<RuntimeException> told = new CopyOnWriteArrayList<>();
        RenewingLocks node = nodeOn(store, LockOptions.DEFAULT.onReleaseError((error, context) -> {
            told.add(error);
            throw new IllegalStateException("handler");
        }));
        HeldLock lock = node.acquire(key("odd"));
        store.failReleases(new IllegalArgumentException("odd"));
        lock.close();
        assertThat(told)
                .singleElement()
                .isInstanceOfSatisfying(
                        LockException.class, error -> assertThat(error.code()).isEqualTo(LockErrorCode.INTERNAL));
    }

    @Test
    void a_release_that_succeeds_is_not_told() {
        List<RuntimeException> told = new CopyOnWriteArrayList<>();
        RenewingLocks node = node(LockOptions.DEFAULT.onReleaseError((error, context) -> told.add(error)));
        node.acquire(key("fine")).close();
        HeldLock gone = node.acquire(key("gone"));
        locks().byLockId().release(gone.lockId().value());
        gone.close();
        assertThat(told).isEmpty();
    }

    @Test
    void closing_gives_up_after_the_dispose_timeout_and_tells() {
        CompletableFuture<Void> gate = new CompletableFuture<>();
        FaultyStore store = new FaultyStore(store());
        store.holdReleasesUntil(gate);
        List<RuntimeException> told = new CopyOnWriteArrayList<>();
        RenewingLocks node = nodeOn(
                store,
                LockOptions.DEFAULT
                        .disposeTimeout(Duration.ofMillis(100))
                        .onReleaseError((error, context) -> told.add(error)));
        HeldLock lock = node.acquire(key("stuck"));

        soon(inBackground(() -> {
            lock.close();
            return true;
        }));
        assertThat(told).singleElement().isInstanceOfSatisfying(LockException.class, error -> {
            assertThat(error.code()).isEqualTo(LockErrorCode.NETWORK_TIMEOUT);
            assertThat(error).hasMessage("Lock disposal timed out after 100ms");
        });
        gate.complete(null);
        awaitFree("stuck");
    }
}
