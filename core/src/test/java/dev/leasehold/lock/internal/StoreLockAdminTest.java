package dev.leasehold.lock.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.CapturedLog;
import dev.leasehold.lock.Fence;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.admin.LockAdmin;
import dev.leasehold.lock.engine.FakeStore;
import org.junit.jupiter.api.Test;

/** What an operator takes away is logged, once, in one line. */
class StoreLockAdminTest {
    private final LockAdmin admin = new StoreLockAdmin(new FakeStore());

    @Test
    void a_lock_that_was_taken_away_is_logged_once() {
        try (CapturedLog log = new CapturedLog()) {
            assertThat(admin.forceRelease(LockKey.of("vault:7"), Fence.of(1), "it hangs\nevent=forged")
                            .join())
                    .isTrue();
            assertThat(log.lines("force_release"))
                    .singleElement()
                    .asString()
                    .contains("WARN")
                    .endsWith("event=force_release keyHash="
                            + LockKey.of("vault:7").hash() + " fence=000000000000001 reason=it hangs event=forged");
        }
    }

    @Test
    void a_lock_that_was_not_is_not() {
        try (CapturedLog log = new CapturedLog()) {
            assertThat(admin.forceRelease(LockKey.of("ledger:8"), Fence.of(2), "it hangs")
                            .join())
                    .isFalse();
            assertThat(log.lines("force_release")).isEmpty();
        }
    }
}
