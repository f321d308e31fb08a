package dev.leasehold.testkit.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockEvent.Reason;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.Ttl;
import dev.leasehold.lock.engine.RenewingLocks;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A lock is free, then held, then free again. */
public class LifecycleContract extends LockContract {
    @Test
    void acquire_locks_and_release_frees() {
        AcquireAttempt attempt = attempt("cycle");
        Granted granted = grant(attempt);

        assertThat(granted.lockId()).isEqualTo(attempt.lockId());
        assertNear(granted.acquiredAt(), now());
        assertThat(Duration.between(granted.acquiredAt(), granted.expiresAt())).isEqualTo(TTL);
        assertThat(isLocked("cycle")).isTrue();

        assertThat(release(granted)).isTrue();
        assertThat(isLocked("cycle")).isFalse();
    }

    @Test
    void a_grant_carries_a_fence() {
        assertThat(grant("fenced").fence().toString()).matches("\\d{15}").isGreaterThan("000000000000000");
    }

    @Test
    void every_grant_has_its_own_lock_id() {
        HeldLock one = locks().acquire(key("one"));
        HeldLock two = locks().acquire(key("two"));
        assertThat(one.lockId().value())
                .matches("[A-Za-z0-9_-]{22}")
                .isNotEqualTo(two.lockId().value());
    }

    @Test
    void a_key_that_nobody_asked_for_is_free() {
        assertThat(isLocked("untouched")).isFalse();
    }

    @Test
    void several_keys_are_held_at_once_and_freed_one_by_one() {
        List<String> names = List.of("a", "b", "c");
        List<CompletableFuture<Granted>> grants =
                names.stream().map(name -> inBackground(() -> grant(name))).toList();
        List<Granted> granted = grants.stream().map(LockContract::soon).toList();

        assertThat(names).allMatch(this::isLocked);
        assertThat(granted).allMatch(this::release);
        assertThat(names).noneMatch(this::isLocked);
    }

    @Test
    void the_second_release_says_no() {
        Granted granted = grant("twice");
        assertThat(release(granted)).isTrue();
        assertThat(blocking().release(granted.lockId()).reason()).isEqualTo(Reason.NOT_FOUND);
        assertThat(isLocked("twice")).isFalse();
    }

    @Test
    void releasing_what_was_never_granted_says_no() {
        assertThat(blocking().release(LockId.generate()).ok()).isFalse();
        assertThat(locks().byLockId().release(LockId.generate().value())).isFalse();
    }

    @Test
    void rapid_cycles_show_the_right_state_every_time() {
        for (int i = 0; i < 10; i++) {
            Granted granted = grant("rapid");
            assertThat(isLocked("rapid")).isTrue();
            assertThat(release(granted)).isTrue();
            assertThat(isLocked("rapid")).isFalse();
        }
    }

    @Test
    void all_nodes_see_the_same_locks() {
        RenewingLocks other = anotherNode();
        Granted granted = grant("shared");

        assertThat(other.isLocked(key("shared"))).isTrue();
        assertThat(other.tryAcquire(key("shared"))).isEmpty();
        assertThat(other.byLockId().extend(granted.lockId().value(), TTL)).isPresent();
        assertThat(other.byLockId().release(granted.lockId().value())).isTrue();
        assertThat(isLocked("shared")).isFalse();
    }

    @Test
    void closing_a_node_leaves_the_others_and_what_it_held() {
        RenewingLocks leaving = anotherNode();
        HeldLock lock = leaving.acquire(key("left-behind"));
        leaving.close();

        assertThat(isLocked("left-behind")).isTrue();
        assertThat(locks().byLockId().release(lock.lockId().value())).isTrue();
        assertThat(locks().tryAcquire(key("left-behind"))).isPresent();
    }

    @Test
    void the_ttl_is_the_requests_else_the_options_else_thirty_seconds() {
        RenewingLocks shorter = node(LockOptions.DEFAULT.ttl(Duration.ofSeconds(7)));
        assertThat(ttlOf(locks().acquire(key("a")))).isEqualTo(Ttl.DEFAULT);
        assertThat(ttlOf(shorter.acquire(key("b")))).isEqualTo(Duration.ofSeconds(7));
        assertThat(ttlOf(shorter.acquire(request("c").ttl(Duration.ofSeconds(3)))))
                .isEqualTo(Duration.ofSeconds(3));
    }

    private static Duration ttlOf(HeldLock lock) {
        return Duration.between(lock.acquiredAt(), lock.expiresAt());
    }

    @Test
    void the_engine_says_what_it_can_do() {
        assertThat(locks().admin().capabilities()).isEqualTo(fixture().capabilities());
        assertThat(locks().admin().capabilities().supportsFencing()).isTrue();
    }
}
