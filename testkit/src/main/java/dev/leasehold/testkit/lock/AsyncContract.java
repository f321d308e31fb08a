package dev.leasehold.testkit.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockEvent.Reason;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.direct.LockOutcome;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The verbs without a thread do what those with one do, and tell every failure through their future. */
public class AsyncContract extends LockContract {
    @Test
    void a_grant_is_seen_extended_and_released() {
        Granted granted = grant("async");
        String lockId = granted.lockId().value();
        assertThat(soon(locks().async().isLocked(key("async")))).isTrue();
        assertThat(soon(locks().async().getByKey(key("async"))).map(LockInfo::fence))
                .contains(granted.fence());
        assertThat(soon(locks().async().getById(lockId)).map(LockInfo::fence)).contains(granted.fence());

        clock().advance(Duration.ofSeconds(5));
        assertThat(soon(locks().async().extend(lockId, TTL)).orElseThrow())
                .isBetween(granted.expiresAt().plusSeconds(5), now().plus(TTL));
        assertThat(soon(locks().async().release(lockId))).isTrue();
        assertThat(soon(locks().async().release(lockId))).isFalse();
        assertThat(soon(locks().async().extend(lockId, TTL))).isEmpty();
        assertThat(soon(locks().async().isLocked(key("async")))).isFalse();
        assertThat(soon(locks().async().getByKey(key("async")))).isEmpty();
        assertThat(soon(locks().async().getById(lockId))).isEmpty();
    }

    @Test
    void a_release_or_extension_that_found_nothing_says_why() {
        String gone = LockId.generate().value();
        assertThat(soon(locks().async().releaseOutcome(gone)))
                .isEqualTo(new LockOutcome(false, null, Reason.NOT_FOUND));
        assertThat(soon(locks().async().extendOutcome(gone, TTL)))
                .isEqualTo(new LockOutcome(false, null, Reason.NOT_FOUND));
        String lockId = grant("why").lockId().value();
        assertThat(soon(locks().async().extendOutcome(lockId, TTL)).ok()).isTrue();
        assertThat(soon(locks().async().releaseOutcome(lockId))).isEqualTo(new LockOutcome(true, null, null));
    }

    @Test
    void wrong_arguments_fail_the_future() {
        String lockId = LockId.generate().value();
        var release = locks().async().release("short");
        var extend = locks().async().extend(lockId, Duration.ZERO);
        var isLocked = locks().async().isLocked("");
        var byKey = locks().async().getByKey("\0");
        var byId = locks().async().getById("");
        assertFails(LockErrorCode.INVALID_ARGUMENT, () -> soon(release));
        assertFails(LockErrorCode.INVALID_ARGUMENT, () -> soon(extend));
        assertFails(LockErrorCode.INVALID_ARGUMENT, () -> soon(isLocked));
        assertFails(LockErrorCode.INVALID_ARGUMENT, () -> soon(byKey));
        assertFails(LockErrorCode.INVALID_ARGUMENT, () -> soon(byId));
    }
}
