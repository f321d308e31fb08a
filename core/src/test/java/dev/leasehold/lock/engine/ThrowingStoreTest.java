package dev.leasehold.lock.engine;

import static dev.leasehold.TestWaits.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.Background;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockOptions;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A store that throws instead of failing its future does no lasting harm. */
class ThrowingStoreTest {
    private final LockException broken = new LockException(LockErrorCode.INTERNAL, "broken");

    private final RenewingLockFixture fixture = new RenewingLockFixture();
    private final FakeStore store = fixture.store;

    @AfterEach
    void close() {
        fixture.close();
    }

    private void throwOnRelease() {
        store.onRelease = id -> {
            throw broken;
        };
    }

    @Test
    void a_release_throws_it_and_counts_as_done() {
        throwOnRelease();
        HeldLock lease = fixture.lease();
        assertThatThrownBy(lease::release).isSameAs(broken);
        assertThat(lease.release()).isFalse();
        assertThat(store.releases).hasSize(1);
    }

    @Test
    void a_close_after_such_a_release_does_not_wait_forever() {
        throwOnRelease();
        HeldLock lease = fixture.lease();
        assertThatThrownBy(lease::release).isSameAs(broken);
        assertThat(Background.run(lease::close).result()).isTrue();
    }

    @Test
    void a_close_reports_it() {
        throwOnRelease();
        assertThatCode(() -> fixture.lease().close()).doesNotThrowAnyException();
        assertThat(fixture.reported)
                .singleElement()
                .satisfies(report -> assertThat(report.error()).isSameAs(broken));
    }

    @Test
    void a_waiter_hears_of_it_and_the_next_one_is_served() {
        try (RenewingLocks locks = new RenewingLocks(store, LockOptions.DEFAULT)) {
            store.locked();
            Background<HeldLock> first = Background.call(() -> locks.acquire(patient()));
            await().until(() -> store.watches.size() == 1);
            Background<HeldLock> second =
                    Background.call(() -> locks.acquire(patient())).awaitParked();
            store.onAcquire = attempt -> {
                store.granting();
                throw broken;
            };
            try {
                store.wakeAll();
            } catch (LockException e) {
                assertThat(e).isSameAs(broken);
            }
            assertThatThrownBy(first::result).isSameAs(broken);
            assertThat(second.result().isHeld()).isTrue();
        }
    }

    private static AcquireRequest patient() {
        return AcquireRequest.of("ledger").waitFor(Duration.ofHours(1));
    }
}
