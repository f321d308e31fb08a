package dev.leasehold.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.lock.LockEvent.Result;
import dev.leasehold.lock.LockEvent.Type;
import dev.leasehold.lock.LockOptions.ReleaseErrorHandler;
import dev.leasehold.lock.engine.FakeStore;
import dev.leasehold.lock.engine.RenewingLocks;
import dev.leasehold.spi.LockHash;
import dev.leasehold.syncguard.RawLockInfo;
import dev.leasehold.syncguard.SyncGuardLocks;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HelpersTest {
    private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");
    private static final Instant END = BEGIN.plusSeconds(30);
    private static final LockKey KEY = LockKey.of("cafe\u0301");
    private static final LockId ID = LockId.generate();
    private static final LockInfo KNOWN = LockInfo.of(KEY, ID, BEGIN, END, Fence.of(7), Holder.of("billing", "1"));
    private static final LockInfo SANITIZED = LockInfo.sanitized(KEY.hash(), ID.hash(), BEGIN, END, Fence.of(7), null);

    private final FakeStore store = new FakeStore();
    private final Locks locks = new RenewingLocks(store, LockOptions.DEFAULT);

    @AfterEach
    void close() {
        locks.close();
    }

    private void found(LockInfo info) {
        store.onLookup = asked -> CompletableFuture.completedFuture(Optional.of(info));
    }

    @Test
    void an_info_shows_hashes_times_fence_and_holder() {
        assertThat(KNOWN.keyHash()).isEqualTo(LockHash.of("caf\u00e9"));
        assertThat(KNOWN.lockIdHash()).isEqualTo(LockHash.of(ID.value()));
        assertThat(KNOWN.acquiredAt()).isEqualTo(BEGIN);
        assertThat(KNOWN.expiresAt()).isEqualTo(END);
        assertThat(KNOWN.fence()).isEqualTo(Fence.of(7));
        assertThat(KNOWN.holder()).contains(Holder.of("billing", "1"));
        assertThat(SANITIZED.holder()).isEmpty();
    }

    @Test
    void a_lookup_asks_the_store_by_key_or_by_lock_id() {
        found(KNOWN);
        assertThat(locks.getByKey("cafe\u0301")).containsSame(KNOWN);
        assertThat(locks.byLockId().get(ID.value())).containsSame(KNOWN);
        assertThat(store.lookups).containsExactly(KEY, ID);
    }

    @Test
    void what_is_not_found_is_empty_raw_or_not() {
        assertThat(locks.getByKey("k")).isEmpty();
        assertThat(locks.byLockId().get(ID.value())).isEmpty();
        assertThat(SyncGuardLocks.of(locks).getByKeyRaw("k")).isEmpty();
        assertThat(SyncGuardLocks.of(locks).getByIdRaw(ID.value())).isEmpty();
    }

    @Test
    void raw_lookups_show_what_the_store_knows() {
        found(KNOWN);
        assertThat(SyncGuardLocks.of(locks).getByKeyRaw("cafe\u0301"))
                .contains(new RawLockInfo(KNOWN, "caf\u00e9", ID.value()));
        assertThat(SyncGuardLocks.of(locks).getByIdRaw(ID.value()))
                .contains(new RawLockInfo(KNOWN, "caf\u00e9", ID.value()));
    }

    @Test
    void raw_lookups_name_what_the_store_does_not_tell() {
        found(SANITIZED);
        assertThat(SyncGuardLocks.of(locks).getByKeyRaw("cafe\u0301"))
                .contains(new RawLockInfo(SANITIZED, "caf\u00e9", "[backend does not provide raw lockId]"));
        assertThat(SyncGuardLocks.of(locks).getByIdRaw(ID.value()))
                .contains(new RawLockInfo(SANITIZED, "[backend does not provide raw key]", ID.value()));
    }

    @Test
    void who_owns_a_lock_finds_it_by_its_id() {
        assertThat(locks.byLockId().owns(ID.value())).isFalse();
        found(KNOWN);
        assertThat(locks.byLockId().owns(ID.value())).isTrue();
        assertThat(store.lookups).containsExactly(ID, ID);
    }

    @Test
    void wrong_arguments_are_refused_before_the_store_is_asked() {
        assertThatThrownBy(() -> locks.getByKey("")).hasMessage("Key must not be empty");
        assertThatThrownBy(() -> locks.isLocked("a\0")).hasMessage("Key must not contain U+0000");
        assertThatThrownBy(() -> locks.byLockId().get("short")).hasMessageStartingWith("Invalid lockId format.");
        assertThatThrownBy(() -> locks.byLockId().owns("")).hasMessageEndingWith("got: empty/null");
        assertThatThrownBy(() -> locks.byLockId().release("short")).hasMessageStartingWith("Invalid lockId format.");
        assertThatThrownBy(() -> locks.byLockId().extend(ID.value(), Duration.ZERO))
                .hasMessage("ttl must be a positive whole number of milliseconds");
        assertThat(store.lookups).isEmpty();
        assertThat(store.releases).isEmpty();
        assertThat(store.extensions).isEmpty();
    }

    @Test
    void no_text_shows_a_raw_lock_id() {
        found(KNOWN);
        RawLockInfo raw = SyncGuardLocks.of(locks).getByIdRaw(ID.value()).orElseThrow();
        LockEvent event = new LockEvent(
                Type.ACQUIRE, Result.OK, KEY.hash(), ID.hash(), null, KEY.value(), ID.value(), Duration.ZERO);
        assertThat(ID.toString()).doesNotContain(ID.value()).contains(ID.hash());
        assertThat(KNOWN.toString()).doesNotContain(ID.value(), KEY.value()).contains(ID.hash(), KEY.hash());
        assertThat(raw.toString()).doesNotContain(ID.value(), KEY.value()).contains(ID.hash(), KEY.hash());
        assertThat(event.toString()).doesNotContain(ID.value(), KEY.value()).contains(ID.hash(), KEY.hash());
        assertThat(new ReleaseErrorHandler.Context("k", ID, "disposal").toString())
                .doesNotContain(ID.value());
    }

    @Test
    void a_handle_does_not_show_its_lock_id_either() {
        store.granting();
        try (HeldLock lease = locks.acquire("ledger")) {
            assertThat(lease.toString())
                    .doesNotContain(lease.lockId().value())
                    .contains(lease.key().hash(), lease.fence().toString());
        }
    }
}
