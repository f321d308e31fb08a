package dev.leasehold.testkit.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A repeated acquire by the same holder is the same grant; anybody else is somebody else. */
public class HolderContract extends LockContract {
    private static final Holder US = Holder.of("billing", "node-1");

    @Test
    void the_same_holder_gets_the_same_grant_again_with_a_new_expiry() {
        Granted first = grant(attempt("ours").holder(US));
        clock().advance(Duration.ofSeconds(5));
        Granted again = grant(attempt("ours").holder(US));

        assertThat(again.lockId()).isEqualTo(first.lockId());
        assertThat(again.fence()).isEqualTo(first.fence());
        assertThat(again.acquiredAt()).isEqualTo(first.acquiredAt());
        assertNear(again.expiresAt(), first.expiresAt().plusSeconds(5));
    }

    @Test
    void the_same_holder_may_repeat_within_the_tolerance() {
        clock().stop();
        Granted first = grant(attempt("ours").holder(US));
        clock().advance(TTL.plusMillis(500));
        assertThat(grant(attempt("ours").holder(US)).lockId()).isEqualTo(first.lockId());
    }

    @Test
    void anybody_else_is_refused() {
        grant(attempt("ours").holder(US));
        Stream.of(
                        attempt("ours"),
                        attempt("ours").holder(Holder.of("billing", "node-2")),
                        attempt("ours").holder(Holder.of("shipping", "node-1")),
                        attempt("ours").holder(Holder.of("node-1", "billing")),
                        attempt("ours").holder(Holder.of("Billing", "node-1")))
                .forEach(other -> assertThat(blocking().acquire(other).ok()).isFalse());
    }

    @Test
    void owner_and_instance_do_not_run_into_each_other() {
        grant(attempt("split").holder(Holder.of("a:b", "c")));
        assertThat(blocking()
                        .acquire(attempt("split").holder(Holder.of("a", "b:c")))
                        .ok())
                .isFalse();
    }

    @Test
    void nobody_in_particular_is_never_the_same_holder() {
        grant("anonymous");
        assertThat(isRefused("anonymous")).isTrue();
        assertThat(blocking().acquire(attempt("anonymous").holder(US)).ok()).isFalse();
    }

    @Test
    void one_holder_may_have_many_keys() {
        Granted one = grant(attempt("one").holder(US));
        Granted two = grant(attempt("two").holder(US));
        assertThat(one.lockId()).isNotEqualTo(two.lockId());
    }

    @Test
    void after_release_the_same_holder_gets_a_new_grant() {
        Granted first = grant(attempt("again").holder(US));
        release(first);
        Granted second = grant(attempt("again").holder(US));
        assertThat(second.lockId()).isNotEqualTo(first.lockId());
        assertThat(second.fence()).isGreaterThan(first.fence());
    }

    @Test
    void after_expiry_the_same_holder_gets_a_new_grant() {
        Granted first = grant(attempt("again").holder(US));
        outlive(TTL);
        Granted second = grant(attempt("again").holder(US));
        assertThat(second.lockId()).isNotEqualTo(first.lockId());
        assertThat(second.fence()).isGreaterThan(first.fence());
        assertThat(extend(first.lockId(), TTL)).isFalse();
    }

    @Test
    void a_new_holder_replaces_the_old_one_in_what_is_shown() {
        grant(attempt("shown").holder(US));
        outlive(TTL);
        grant("shown");
        assertThat(blocking().lookup(lockKey("shown")).flatMap(LockInfo::holder))
                .isEmpty();
    }

    @Test
    void an_attempt_that_is_sent_twice_is_granted_once() {
        AcquireAttempt attempt = attempt("resent");
        Granted first = grant(attempt);
        Granted second = grant(attempt);
        assertThat(second.lockId()).isEqualTo(first.lockId());
        assertThat(second.fence()).isEqualTo(first.fence());
        assertThat(isRefused("resent")).isTrue();
    }

    @Test
    void a_repeat_that_is_cancelled_leaves_the_grant() {
        Granted first = grant(attempt("kept").holder(US));
        for (int i = 0; i < 50; i++) {
            CancelSignal signal = new CancelSignal();
            var repeat = store().acquire(attempt("kept").holder(US).signal(signal));
            signal.cancel();
            repeat.cancel(true);
        }
        CancelSignal given = new CancelSignal();
        given.cancel();
        assertFails(
                LockErrorCode.ABORTED,
                () -> blocking().acquire(attempt("kept").holder(US).signal(given)));
        assertThat(locks().byLockId().owns(first.lockId().value())).isTrue();
    }

    @Test
    void handles_of_the_same_holder_on_two_nodes_share_the_grant() {
        HeldLock here = locks().acquire(request("shared").holder(US));
        HeldLock there = anotherNode().acquire(request("shared").holder(US));
        assertThat(there.lockId()).isEqualTo(here.lockId());
        assertThat(there.fence()).isEqualTo(here.fence());

        assertThat(there.release()).isTrue();
        assertThat(here.release()).isFalse();
    }

    @Test
    void names_may_be_long_and_in_any_script_but_not_longer() {
        Holder longest = Holder.of("\u043a".repeat(Holder.MAX_LENGTH), "\u00e9".repeat(Holder.MAX_LENGTH));
        Granted first = grant(attempt("long").holder(longest));
        assertThat(grant(attempt("long").holder(longest)).lockId()).isEqualTo(first.lockId());
        assertThat(blocking().lookup(lockKey("long")).flatMap(LockInfo::holder)).isEqualTo(Optional.of(longest));

        assertFails(LockErrorCode.INVALID_ARGUMENT, () -> Holder.of("x".repeat(256), "i"));
        assertFails(LockErrorCode.INVALID_ARGUMENT, () -> Holder.of("x", ""));
        assertFails(LockErrorCode.INVALID_ARGUMENT, () -> Holder.of("x\0", "i"));
    }
}
