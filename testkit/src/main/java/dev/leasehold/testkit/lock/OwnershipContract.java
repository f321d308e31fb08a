package dev.leasehold.testkit.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.LockEvent.Reason;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.ExtendResult.Gone;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Only the lock id of the present grant releases and extends it. */
public class OwnershipContract extends LockContract {
    @Test
    void a_wrong_lock_id_does_not_release() {
        grant("owned");
        assertThat(blocking().release(LockId.generate()).reason()).isEqualTo(Reason.NOT_FOUND);
        assertThat(isLocked("owned")).isTrue();
    }

    @Test
    void a_wrong_lock_id_does_not_extend() {
        Granted granted = grant("owned");
        assertThat(blocking().extend(LockId.generate(), TTL.multipliedBy(2))).isEqualTo(new Gone(Reason.NOT_FOUND));
        assertThat(blocking().lookup(granted.lockId()))
                .hasValueSatisfying(info -> assertThat(info.expiresAt()).isEqualTo(granted.expiresAt()));
    }

    @Test
    void releasing_one_lock_leaves_the_other() {
        Granted one = grant("one");
        Granted two = grant("two");
        assertThat(release(two)).isTrue();

        assertThat(isLocked("one")).isTrue();
        assertThat(isLocked("two")).isFalse();
        assertThat(release(one)).isTrue();
    }

    @Test
    void the_old_holder_cannot_touch_the_grant_of_the_new_one() {
        Granted old = grant("passed-on");
        outlive(TTL);
        Granted present = grant("passed-on");

        assertThat(extend(old.lockId(), TTL)).isFalse();
        assertThat(release(old)).isFalse();
        assertThat(locks().byLockId().owns(old.lockId().value())).isFalse();
        assertThat(locks().byLockId().owns(present.lockId().value())).isTrue();
        assertThat(blocking().lookup(present.lockId()))
                .hasValueSatisfying(info -> assertThat(info.expiresAt()).isEqualTo(present.expiresAt()));
    }

    @Test
    void the_former_lock_id_is_worth_nothing_after_release() {
        Granted former = grant("former");
        release(former);
        Granted present = grant("former");

        assertThat(release(former)).isFalse();
        assertThat(extend(former.lockId(), TTL)).isFalse();
        assertThat(release(present)).isTrue();
    }

    @Test
    void the_right_lock_id_extends_and_releases() {
        Granted granted = grant("mine");
        assertThat(extend(granted.lockId(), TTL)).isTrue();
        assertThat(release(granted)).isTrue();
        assertThat(isLocked("mine")).isFalse();
    }

    @Test
    void wrong_releases_at_the_same_time_do_no_harm() {
        Granted granted = grant("attacked");
        List<CompletableFuture<Boolean>> wrong = IntStream.range(0, 3)
                .mapToObj(i ->
                        inBackground(() -> blocking().release(LockId.generate()).ok()))
                .toList();

        assertThat(wrong.stream().map(LockContract::soon)).containsOnly(false);
        assertThat(release(granted)).isTrue();
    }

    @Test
    void of_many_right_releases_at_the_same_time_one_counts() {
        Granted granted = grant("eager");
        List<CompletableFuture<Boolean>> right = IntStream.range(0, 5)
                .mapToObj(i -> inBackground(() -> release(granted)))
                .toList();
        assertThat(right.stream().map(LockContract::soon).filter(ok -> ok)).hasSize(1);
    }

    @Test
    void extending_does_not_change_who_owns() {
        Granted granted = grant("extended");
        assertThat(extend(granted.lockId(), TTL)).isTrue();
        assertThat(blocking().release(LockId.generate()).ok()).isFalse();
        assertThat(isLocked("extended")).isTrue();
        assertThat(release(granted)).isTrue();
    }
}
