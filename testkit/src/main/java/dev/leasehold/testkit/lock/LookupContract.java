package dev.leasehold.testkit.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.syncguard.SyncGuardLocks;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What can be seen of a live lock, by key and by lock id, without its secrets. */
public class LookupContract extends LockContract {
    @Test
    void a_lock_is_found_by_its_key() {
        Granted granted = grant("seen");
        assertThat(locks().getByKey(key("seen"))).hasValueSatisfying(info -> assertShows(info, granted, "seen"));
    }

    @Test
    void a_lock_is_found_by_its_lock_id() {
        Granted granted = grant("seen");
        assertThat(locks().byLockId().get(granted.lockId().value()))
                .hasValueSatisfying(info -> assertShows(info, granted, "seen"));
    }

    private void assertShows(LockInfo info, Granted granted, String name) {
        assertThat(info.keyHash()).isEqualTo(lockKey(name).hash());
        assertThat(info.lockIdHash()).isEqualTo(granted.lockId().hash());
        assertThat(info.fence()).isEqualTo(granted.fence());
        assertThat(info.acquiredAt()).isEqualTo(granted.acquiredAt()).isBefore(now().plusMillis(1));
        assertThat(info.expiresAt()).isEqualTo(granted.expiresAt()).isAfter(now());
        assertThat(info.toString()).doesNotContain(granted.lockId().value(), key(name));
    }

    @Test
    void what_is_not_there_is_not_found() {
        assertThat(locks().getByKey(key("absent"))).isEmpty();
        assertThat(locks().byLockId().get(LockId.generate().value())).isEmpty();
        assertThat(locks().byLockId().owns(LockId.generate().value())).isFalse();
    }

    @Test
    void a_released_lock_is_not_found() {
        Granted granted = grant("over");
        release(granted);
        assertThat(locks().getByKey(key("over"))).isEmpty();
        assertThat(locks().byLockId().get(granted.lockId().value())).isEmpty();
    }

    @Test
    void an_expired_lock_is_not_found() {
        Granted granted = grant("expired");
        outlive(TTL);
        assertThat(locks().getByKey(key("expired"))).isEmpty();
        assertThat(locks().byLockId().get(granted.lockId().value())).isEmpty();
    }

    @Test
    void an_old_lock_id_does_not_find_the_grant_of_its_successor() {
        Granted old = grant("succeeded");
        outlive(TTL);
        Granted present = grant("succeeded");
        assertThat(locks().byLockId().get(old.lockId().value())).isEmpty();
        assertThat(locks().byLockId().get(present.lockId().value())).isPresent();
    }

    @Test
    void malformed_keys_and_lock_ids_are_refused_before_the_store_is_asked() {
        assertThat(assertFails(LockErrorCode.INVALID_ARGUMENT, () -> locks().getByKey("")))
                .hasMessage("Key must not be empty");
        assertThat(assertFails(LockErrorCode.INVALID_ARGUMENT, () -> locks().getByKey("x".repeat(513))))
                .hasMessage("Key exceeds maximum length of 512 bytes after normalization");
        assertThat(assertFails(
                        LockErrorCode.INVALID_ARGUMENT, () -> locks().byLockId().get("nope")))
                .hasMessageStartingWith("Invalid lockId format. Expected 22 base64url characters");
    }

    @Test
    void lookups_at_the_same_time_see_the_same() {
        grant("watched");
        List<CompletableFuture<Optional<LockInfo>>> lookups = IntStream.range(0, 3)
                .mapToObj(i -> store().lookup(lockKey("watched")))
                .toList();
        assertThat(lookups.stream().map(LockContract::soon).map(info -> info.map(LockInfo::lockIdHash)))
                .doesNotContain(Optional.empty())
                .containsOnly(soon(lookups.get(0)).map(LockInfo::lockIdHash));
    }

    @Test
    void every_key_shows_its_own_fence() {
        Stream.of("a", "b", "c").forEach(name -> {
            fixture().setFenceCounter(key(name), name.charAt(0));
            Granted granted = grant(name);
            assertThat(locks().getByKey(key(name)).map(LockInfo::fence)).contains(granted.fence());
        });
    }

    @Test
    void the_holder_is_shown_if_there_is_one() {
        grant(attempt("named").holder(Holder.of("svc", "i-1")));
        grant("anonymous");
        assertThat(locks().getByKey(key("named")).flatMap(LockInfo::holder))
                .isEqualTo(Optional.of(Holder.of("svc", "i-1")));
        assertThat(locks().getByKey(key("anonymous")).flatMap(LockInfo::holder)).isEmpty();
    }

    @Test
    void an_extension_is_shown() {
        Granted granted = grant("longer");
        extend(granted.lockId(), TTL.multipliedBy(2));
        assertThat(locks().getByKey(key("longer")).orElseThrow().expiresAt()).isAfter(granted.expiresAt());
    }

    @Test
    void raw_lookups_show_what_was_asked_with_and_say_what_they_do_not_know() {
        Granted granted = grant("raw");
        String lockId = granted.lockId().value();

        assertThat(SyncGuardLocks.of(locks()).getByKeyRaw(key("raw"))).hasValueSatisfying(raw -> {
            assertThat(raw.key()).isEqualTo(key("raw"));
            assertThat(raw.lockId()).isIn(lockId, "[backend does not provide raw lockId]");
            assertThat(raw.toString()).doesNotContain(lockId);
        });
        assertThat(SyncGuardLocks.of(locks()).getByIdRaw(lockId)).hasValueSatisfying(raw -> {
            assertThat(raw.lockId()).isEqualTo(lockId);
            assertThat(raw.key()).isIn(key("raw"), "[backend does not provide raw key]");
        });
        assertThat(SyncGuardLocks.of(locks()).getByKeyRaw(key("absent"))).isEmpty();
    }

    @Test
    void owning_ends_with_the_grant() {
        Granted granted = grant("owned");
        assertThat(locks().byLockId().owns(granted.lockId().value())).isTrue();
        release(granted);
        assertThat(locks().byLockId().owns(granted.lockId().value())).isFalse();
    }
}
