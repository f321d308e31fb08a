package dev.leasehold.testkit.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.Fence;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.engine.RenewingLocks;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Fences grow with every grant of the same key, for ever: over release, expiry, sweeping and nodes, up to the limit. */
public class FenceContract extends LockContract {
    @Test
    void a_fence_is_fifteen_digits_and_positive() {
        Fence fence = grant("format").fence();
        assertThat(fence.toString()).matches("\\d{15}");
        assertThat(fence.value()).isPositive();
    }

    @Test
    void fences_increase_as_numbers_and_as_texts() {
        List<Fence> fences = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Granted granted = grant("growing");
            fences.add(granted.fence());
            release(granted);
        }
        assertThat(fences).isSorted().doesNotHaveDuplicates();
        assertThat(fences.stream().map(Fence::toString)).isSortedAccordingTo(Comparator.naturalOrder());
    }

    @Test
    void every_key_counts_for_itself() {
        fixture().setFenceCounter(key("far"), 41);
        Fence near = grantAndRelease("near");
        Fence far = grantAndRelease("far");
        assertThat(far.value()).isGreaterThan(41);
        assertThat(near.value()).isLessThan(far.value());

        assertThat(grantAndRelease("near")).isGreaterThan(near).isLessThan(far);
        assertThat(grantAndRelease("far")).isGreaterThan(far);
    }

    @Test
    void a_takeover_after_expiry_has_a_larger_fence() {
        Fence first = grant("taken-over").fence();
        outlive(TTL);
        assertThat(grant("taken-over").fence()).isGreaterThan(first);
    }

    @Test
    void the_counter_survives_the_lock_and_its_sweeping() {
        Fence last = grantAndRelease("swept");
        for (int cycle = 0; cycle < 3; cycle++) {
            clock().advance(Duration.ofDays(1));
            assertThat(isLocked("swept")).isFalse();
            Granted next = grant("swept");
            assertThat(next.fence()).isGreaterThan(last);
            last = next.fence();
            outlive(TTL);
        }
    }

    @Test
    void all_nodes_draw_from_the_same_counter() {
        RenewingLocks other = anotherNode();
        Fence last = Fence.of(0);
        for (int i = 0; i < 6; i++) {
            RenewingLocks node = i % 2 == 0 ? locks() : other;
            Fence next = node.withLock(key("nodes"), lock -> lock.fence());
            assertThat(next).isGreaterThan(last);
            last = next;
        }
    }

    @Test
    void refusal_and_extension_leave_the_fence_of_the_holder() {
        Granted granted = grant("steady");
        assertThat(isRefused("steady")).isTrue();
        extend(granted.lockId(), TTL);

        assertThat(blocking().lookup(granted.lockId()).map(LockInfo::fence)).contains(granted.fence());
    }

    @Test
    void beyond_the_warning_mark_grants_go_on() {
        fixture().setFenceCounter(key("warned"), Fence.WARN);
        assertThat(grant("warned").fence().value()).isGreaterThan(Fence.WARN);
    }

    @Test
    void the_last_fence_is_granted() {
        fixture().setFenceCounter(key("last"), Fence.MAX - 1);
        assertThat(grant("last").fence().value()).isEqualTo(Fence.MAX);
    }

    @Test
    void beyond_the_limit_acquiring_fails_before_anything_is_written() {
        fixture().setFenceCounter(key("over"), Fence.MAX);
        for (int i = 0; i < 2; i++) {
            LockException error = assertFails(LockErrorCode.INTERNAL, () -> grant("over"));
            assertThat(error)
                    .hasMessageStartingWith("Fence counter overflow - exceeded operational limit (900000000000000):"
                            + " the key is free, but its fences are used up");
            assertThat(isLocked("over")).isFalse();
            assertThat(blocking().lookup(lockKey("over"))).isEmpty();
        }
    }

    @Test
    void the_limit_is_compared_as_a_number() {
        fixture().setFenceCounter(key("sixteen"), 1_000_000_000_000_000L);
        assertFails(LockErrorCode.INTERNAL, () -> grant("sixteen"));
        assertThat(isLocked("sixteen")).isFalse();
    }

    @Test
    void one_key_at_its_limit_does_not_disturb_its_neighbours() {
        fixture().setFenceCounter(key("full"), Fence.MAX);
        assertFails(LockErrorCode.INTERNAL, () -> grant("full"));
        grant("neighbour");
    }

    @Test
    void at_the_limit_a_held_lock_still_refuses_and_repeats() {
        Holder holder = Holder.of("svc", "1");
        fixture().setFenceCounter(key("edge"), Fence.MAX - 1);
        Granted granted = grant(attempt("edge").holder(holder));

        assertThat(isRefused("edge")).isTrue();
        assertThat(grant(attempt("edge").holder(holder)).fence()).isEqualTo(granted.fence());
        assertThat(release(granted)).isTrue();
        assertFails(LockErrorCode.INTERNAL, () -> grant("edge"));
    }

    private Fence grantAndRelease(String name) {
        Granted granted = grant(name);
        release(granted);
        return granted.fence();
    }
}
