package dev.leasehold.lock.engine;

import static dev.leasehold.TestWaits.await;
import static dev.leasehold.lock.engine.RenewingLockFixture.TTL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.lock.Background;
import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.Fence;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockEvent.Reason;
import dev.leasehold.lock.LockEvent.Type;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.LockLostException;
import dev.leasehold.lock.spi.ExtendResult.Gone;
import dev.leasehold.lock.spi.Extension;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A handle while its lock is held, lost and extended. */
class RenewingLockTest {
    private final RenewingLockFixture fixture = new RenewingLockFixture();
    private final FakeStore store = fixture.store;

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void a_handle_shows_its_grant() {
        HeldLock lease = fixture.lease();
        assertThat(lease.key()).isEqualTo(LockKey.of("ledger:7"));
        assertThat(lease.lockId()).isEqualTo(fixture.lockId);
        assertThat(lease.fence()).isEqualTo(Fence.of(41));
        assertThat(lease.acquiredAt()).isEqualTo(FakeStore.START);
        assertThat(lease.expiresAt()).isEqualTo(FakeStore.START.plus(TTL));
    }

    @Test
    void a_fresh_lock_is_held() {
        HeldLock lease = fixture.lease();
        assertThat(lease.isHeld()).isTrue();
        assertThatCode(lease::checkpoint).doesNotThrowAnyException();
    }

    @Test
    void it_is_held_until_shortly_before_its_end_counted_from_when_it_was_asked_for() {
        assertThat(fixture.lease(TTL.minusSeconds(60), TTL).isHeld()).isTrue();
        HeldLock late = fixture.lease(TTL.minusSeconds(5), TTL);
        assertThat(late.isHeld()).isFalse();
        assertThatThrownBy(late::checkpoint)
                .isInstanceOfSatisfying(LockLostException.class, e -> {
                    assertThat(e.key()).isEqualTo("ledger:7");
                    assertThat(e.fence()).isEqualTo(Fence.of(41));
                })
                .hasMessageContaining("in doubt");
    }

    @Test
    void a_lock_whose_time_is_over_is_lost_and_told_so_once() {
        AtomicInteger told = new AtomicInteger();
        HeldLock lease = fixture.lease(TTL.minusMillis(50), TTL);
        lease.onLost(told::incrementAndGet);
        await().untilAsserted(() -> assertThat(told).hasValue(1));
        assertThat(lease.isHeld()).isFalse();
        assertThatThrownBy(lease::checkpoint)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("expired at 2030-01-01T00:30:00Z");
        await().until(() -> !fixture.heard.isEmpty());
        fixture.awaitTimer();
        assertThat(fixture.heard).extracting(e -> e.type()).containsOnlyOnce(Type.LOST);
    }

    @Test
    void whoever_asks_late_to_be_told_is_told_at_once_in_another_thread() {
        store.onExtend = extension -> CompletableFuture.completedFuture(Gone.NOT_FOUND);
        HeldLock lease = fixture.lease();
        assertThat(lease.extend(TTL)).isFalse();
        CompletableFuture<Thread> teller = new CompletableFuture<>();
        lease.onLost(() -> teller.complete(Thread.currentThread()));
        await().until(teller::isDone);
        assertThat(teller.join()).isNotSameAs(Thread.currentThread());
    }

    @Test
    void each_of_several_actions_is_run_although_one_fails() {
        store.onExtend = extension -> CompletableFuture.completedFuture(Gone.EXPIRED);
        HeldLock lease = fixture.lease();
        AtomicInteger told = new AtomicInteger();
        lease.onLost(told::incrementAndGet);
        lease.onLost(() -> {
            throw new IllegalStateException("user");
        });
        lease.onLost(told::incrementAndGet);
        lease.extend(TTL);
        await().untilAsserted(() -> assertThat(told).hasValue(2));
    }

    @Test
    void an_extension_sets_the_expiry() {
        HeldLock lease = fixture.lease();
        assertThat(lease.extend(Duration.ofMinutes(2))).isTrue();
        assertThat(lease.expiresAt()).isEqualTo(FakeStore.START.plusSeconds(121));
        assertThat(store.extensions).singleElement().satisfies(asked -> {
            assertThat(asked.question()).isEqualTo(new Extension(fixture.lockId, Duration.ofMinutes(2)));
            assertThat(asked.signal()).isSameAs(CancelSignal.none());
        });
    }

    @Test
    void an_extension_ends_the_doubt() {
        HeldLock lease = fixture.lease(TTL.minusSeconds(5), TTL);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.extend(TTL)).isTrue();
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void a_lock_that_is_gone_when_extended_is_lost() {
        store.onExtend = extension -> CompletableFuture.completedFuture(Gone.EXPIRED);
        HeldLock lease = fixture.lease();
        assertThat(lease.extend(TTL)).isFalse();
        assertThat(lease.isHeld()).isFalse();
        assertThatThrownBy(lease::checkpoint).hasMessageContaining("is gone from the store");
        assertThat(fixture.heard).singleElement().satisfies(event -> {
            assertThat(event.type()).isEqualTo(Type.LOST);
            assertThat(event.why()).contains(Reason.EXPIRED);
        });
    }

    @Test
    void an_extension_that_failed_changes_nothing() {
        LockException failure = new LockException(LockErrorCode.SERVICE_UNAVAILABLE, "down");
        store.onExtend = extension -> CompletableFuture.failedFuture(failure);
        HeldLock lease = fixture.lease();
        assertThatThrownBy(() -> lease.extend(TTL)).isSameAs(failure);
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.expiresAt()).isEqualTo(FakeStore.START.plus(TTL));
    }

    @Test
    void a_shorter_extension_of_unknown_outcome_is_believed_to_have_happened() {
        store.onExtend = extension ->
                CompletableFuture.failedFuture(new LockException(LockErrorCode.NETWORK_TIMEOUT, "no answer"));
        HeldLock lease = fixture.lease();
        assertThatThrownBy(() -> lease.extend(Duration.ofMillis(30))).isInstanceOf(LockException.class);
        await().alias("the store may have let it end after 30 ms").until(() -> !lease.isHeld());
    }

    @Test
    void a_shorter_extension_is_believed_in_while_it_is_under_way() {
        store.onExtend = extension -> new CompletableFuture<>();
        HeldLock lease = fixture.lease();
        Background<Boolean> extending = Background.call(() -> lease.extend(Duration.ofMillis(30)));
        await().alias("the store may have let it end after 30 ms").until(() -> !lease.isHeld());
        extending.interrupt();
    }

    @Test
    @SuppressWarnings("NullAway") // null is one of the wrong ones
    void a_wrong_ttl_is_refused_before_the_store_is_asked() {
        HeldLock lease = fixture.lease();
        assertThatThrownBy(() -> lease.extend(Duration.ZERO))
                .hasMessage("ttl must be a positive whole number of milliseconds");
        assertThatThrownBy(() -> lease.extend(null)).hasMessage("ttl must be a positive whole number of milliseconds");
        assertThat(store.extensions).isEmpty();
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void an_extension_after_release_still_reaches_the_store() {
        HeldLock lease = fixture.lease();
        lease.release();
        store.onExtend = extension -> CompletableFuture.completedFuture(Gone.NOT_FOUND);
        assertThat(lease.extend(TTL)).isFalse();
        assertThat(store.extensions).hasSize(1);
        assertThat(fixture.heard).as("released, not lost").isEmpty();
    }

    @Test
    void a_released_lock_is_no_longer_held_and_never_lost() {
        HeldLock lease = fixture.lease();
        AtomicInteger told = new AtomicInteger();
        lease.onLost(told::incrementAndGet);
        lease.release();
        assertThat(lease.isHeld()).isFalse();
        assertThatThrownBy(lease::checkpoint)
                .isInstanceOf(LockLostException.class)
                .hasMessage("lock 'ledger:7' was lost: fence 41 was released by this handle");
        assertThat(lease.extend(TTL)).isTrue();
        assertThat(lease.isHeld()).as("an extension does not undo the release").isFalse();
        assertThat(told).hasValue(0);
    }

    @Test
    void a_released_lock_is_not_renewed() {
        Runnable startTimer = fixture.stopTimer();
        HeldLock lease = fixture.lease(TTL.dividedBy(3), TTL);
        lease.release();
        startTimer.run();
        fixture.awaitTimer();
        assertThat(store.renewals).isEmpty();
    }

    @Test
    void a_lock_is_renewed_without_being_asked() {
        store.onRenew = extension -> CompletableFuture.completedFuture(FakeStore.extended(extension));
        HeldLock lease = fixture.lease(TTL.dividedBy(3), TTL);
        await().untilAsserted(() -> assertThat(lease.expiresAt())
                .isEqualTo(FakeStore.START.plusSeconds(1).plus(TTL)));
        assertThat(lease.isHeld()).isTrue();
    }
}
