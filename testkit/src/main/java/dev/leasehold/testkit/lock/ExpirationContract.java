package dev.leasehold.testkit.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.LockEvent.Reason;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.ExtendResult;
import dev.leasehold.lock.spi.ExtendResult.Extended;
import dev.leasehold.lock.spi.ExtendResult.Gone;
import dev.leasehold.lock.spi.Liveness;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

/** A lock ends by itself, everywhere at the same moment: when its expiry lies more than the tolerance back. */
public class ExpirationContract extends LockContract {
    private static final Duration TOLERANCE = Duration.ofMillis(Liveness.TOLERANCE_MS);
    private static final int RACES = 200;

    @Test
    void a_lock_ends_after_its_ttl() {
        grant("short");
        assertThat(isLocked("short")).isTrue();

        outlive(TTL);
        assertThat(isLocked("short")).isFalse();
        grant("short");
    }

    @Test
    void within_the_tolerance_an_expired_lock_is_live_to_everybody() {
        clock().stop();
        Granted granted = grant("tolerated");
        clock().advance(TTL.plus(TOLERANCE).minusMillis(1));

        assertThat(isLocked("tolerated")).isTrue();
        assertThat(isRefused("tolerated")).isTrue();
        assertThat(blocking().lookup(lockKey("tolerated"))).isPresent();
        assertThat(blocking().lookup(granted.lockId())).isPresent();
        assertThat(extend(granted.lockId(), TTL)).isTrue();
    }

    @Test
    void within_the_tolerance_a_release_still_counts() {
        clock().stop();
        Granted granted = grant("late");
        clock().advance(TTL.plus(TOLERANCE).minusMillis(1));
        assertThat(release(granted)).isTrue();
        assertThat(isLocked("late")).isFalse();
    }

    @Test
    void after_the_tolerance_it_is_dead_to_everybody() {
        Granted granted = grant("dead");
        clock().advance(TTL.plus(TOLERANCE));

        assertThat(isLocked("dead")).isFalse();
        assertThat(blocking().lookup(lockKey("dead"))).isEmpty();
        assertThat(blocking().lookup(granted.lockId())).isEmpty();
        assertThat(blocking().extend(granted.lockId(), TTL)).isEqualTo(new Gone(Reason.EXPIRED));
        assertThat(blocking().release(granted.lockId()).reason()).isEqualTo(Reason.EXPIRED);
        grant("dead");
    }

    @Test
    void extending_moves_the_expiry() {
        Granted granted = grant("extended");
        clock().advance(TTL.dividedBy(2));
        Instant until = extended(granted, TTL);
        assertThat(until).isAfter(granted.expiresAt()).isAfter(now());

        clock().advance(TTL.multipliedBy(3).dividedBy(4));
        assertThat(isLocked("extended")).isTrue();
    }

    @Test
    void extending_counts_from_now_and_so_can_shorten() {
        Granted granted = grant("shortened");
        Instant until = extended(granted, Duration.ofSeconds(5));
        assertNear(until, now().plusSeconds(5));
        assertThat(until).isBefore(granted.expiresAt());

        outlive(Duration.ofSeconds(5));
        assertThat(isLocked("shortened")).isFalse();
    }

    @Test
    void extending_keeps_lock_id_fence_and_beginning() {
        Granted granted = grant("same");
        clock().advance(Duration.ofSeconds(5));
        extended(granted, TTL);

        assertThat(blocking().lookup(granted.lockId())).hasValueSatisfying(info -> {
            assertThat(info.fence()).isEqualTo(granted.fence());
            assertThat(info.acquiredAt()).isEqualTo(granted.acquiredAt());
        });
    }

    @Test
    void a_lock_lives_as_long_as_it_is_extended() {
        Granted granted = grant("kept");
        for (int i = 0; i < 4; i++) {
            clock().advance(TTL.minusMinutes(1));
            extended(granted, TTL);
        }
        assertThat(isLocked("kept")).isTrue();
    }

    @Test
    void extending_never_brings_back_the_dead() {
        Granted granted = grant("gone");
        outlive(TTL);
        assertThat(extend(granted.lockId(), TTL)).isFalse();
        assertThat(isLocked("gone")).isFalse();

        clock().advance(Duration.ofHours(1));
        assertThat(extend(granted.lockId(), TTL)).isFalse();
        assertThat(isLocked("gone")).isFalse();
    }

    @Test
    void every_lock_has_its_own_expiry() {
        grant(attempt("brief", Duration.ofMillis(100)));
        grant(attempt("lasting", TTL));
        outlive(Duration.ofMillis(100));

        assertThat(isLocked("brief")).isFalse();
        assertThat(isLocked("lasting")).isTrue();
    }

    @Test
    void extend_and_acquire_never_both_succeed_at_the_moment_of_expiry() {
        for (int round = 0; round < RACES; round++) {
            Granted granted = grant(attempt("boundary", Duration.ofSeconds(1)));
            moveTo(granted.expiresAt().plus(TOLERANCE).minusMillis(round % 3));
            CyclicBarrier start = new CyclicBarrier(2);
            CompletableFuture<ExtendResult> extend = inBackground(() -> {
                start.await();
                return blocking().extend(granted.lockId(), TTL);
            });
            CompletableFuture<AcquireResult> acquire = inBackground(() -> {
                start.await();
                return blocking().acquire(attempt("boundary"));
            });
            boolean extended = soon(extend).ok();
            boolean acquired = soon(acquire).ok();
            assertThat(extended && acquired).as("both in round " + round).isFalse();
            outlive(TTL);
        }
    }

    private Instant extended(Granted granted, Duration ttl) {
        ExtendResult result = blocking().extend(granted.lockId(), ttl);
        assertThat(result).isInstanceOf(Extended.class);
        return ((Extended) result).expiresAt();
    }

    private void moveTo(Instant time) {
        clock().advance(Duration.between(now(), time));
    }
}
