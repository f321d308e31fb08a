package dev.leasehold.lock.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.Fence;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockEvent.Reason;
import dev.leasehold.lock.LockEvent.Result;
import dev.leasehold.lock.LockEvent.Type;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.LockListener;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.engine.FakeStore;
import dev.leasehold.lock.engine.RenewingLocks;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.ExtendResult.Gone;
import dev.leasehold.lock.spi.Extension;
import dev.leasehold.lock.spi.LockStore;
import dev.leasehold.lock.spi.ReleaseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TelemetryTest {
    private static final LockKey KEY = LockKey.of("ledger");
    private static final LockId ID = LockId.generate();
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final LockInfo INFO =
            LockInfo.of(KEY, ID, FakeStore.START, FakeStore.START.plus(TTL), Fence.of(1), null);

    private final FakeStore store = new FakeStore().granting();
    private final List<LockEvent> heard = new ArrayList<>();
    private int predicateCalls;

    private LockStore told() {
        return told(event -> false);
    }

    private LockStore told(Predicate<LockEvent> includeRaw) {
        return TelemetryStore.around(store, new LockEvents(new LockListener() {
            @Override
            public void onEvent(LockEvent event) {
                heard.add(event);
            }

            @Override
            public boolean includeRaw(LockEvent event) {
                predicateCalls++;
                return includeRaw.test(event);
            }
        }));
    }

    private void assertHeard(
            Type type, Result result, @Nullable String keyHash, @Nullable String lockIdHash, @Nullable Reason reason) {
        assertThat(heard).singleElement().satisfies(event -> {
            assertThat(event.elapsed().isNegative()).isFalse();
            assertThat(event)
                    .isEqualTo(new LockEvent(type, result, keyHash, lockIdHash, reason, null, null, event.elapsed()));
        });
    }

    private void found() {
        store.onLookup = asked -> CompletableFuture.completedFuture(Optional.of(INFO));
    }

    @Test
    void a_grant_is_told_with_the_hashes_of_key_and_lock_id() {
        AcquireAttempt attempt = AcquireAttempt.of(KEY, TTL);
        told().acquire(attempt).join();
        assertHeard(Type.ACQUIRE, Result.OK, KEY.hash(), attempt.lockId().hash(), null);
    }

    @Test
    void contention_is_told_as_locked() {
        store.locked();
        told().acquire(AcquireAttempt.of(KEY, TTL)).join();
        assertHeard(Type.ACQUIRE, Result.FAIL, KEY.hash(), null, Reason.LOCKED);
    }

    @Test
    void a_repeated_grant_is_told_with_the_lock_id_it_has() {
        store.onAcquire = attempt -> CompletableFuture.completedFuture(store.grant(attempt, ID));
        told().acquire(AcquireAttempt.of(KEY, TTL)).join();
        assertHeard(Type.ACQUIRE, Result.OK, KEY.hash(), ID.hash(), null);
    }

    @Test
    void a_release_is_told_with_the_hash_of_the_lock_id() {
        told().release(ID).join();
        assertHeard(Type.RELEASE, Result.OK, null, ID.hash(), null);
    }

    @Test
    void a_release_without_effect_is_told_with_its_reason() {
        store.onRelease = id -> CompletableFuture.completedFuture(ReleaseResult.EXPIRED);
        told().release(ID).join();
        assertHeard(Type.RELEASE, Result.FAIL, null, ID.hash(), Reason.EXPIRED);
    }

    @Test
    void a_release_without_a_known_reason_is_told_without() {
        store.onRelease = id -> CompletableFuture.completedFuture(new ReleaseResult(false, null));
        told().release(ID).join();
        assertHeard(Type.RELEASE, Result.FAIL, null, ID.hash(), null);
        assertThat(heard.get(0).why()).isEmpty();
    }

    @Test
    void an_extension_is_told() {
        told().extend(ID, TTL).join();
        assertHeard(Type.EXTEND, Result.OK, null, ID.hash(), null);
    }

    @Test
    void an_extension_without_effect_is_told_with_its_reason() {
        store.onExtend = extension -> CompletableFuture.completedFuture(Gone.NOT_FOUND);
        told().extend(ID, TTL).join();
        assertHeard(Type.EXTEND, Result.FAIL, null, ID.hash(), Reason.NOT_FOUND);
    }

    @Test
    void each_renewal_of_a_group_is_told() {
        store.onRenew = extension -> CompletableFuture.completedFuture(
                extension.lockId().equals(ID) ? FakeStore.extended(extension) : Gone.EXPIRED);
        told().extendAll(List.of(new Extension(ID, TTL), new Extension(LockId.generate(), TTL)));
        assertThat(heard).extracting(LockEvent::result).containsExactly(Result.OK, Result.FAIL);
        assertThat(heard).extracting(LockEvent::type).containsOnly(Type.EXTEND);
    }

    @Test
    void whether_a_key_is_locked_is_told() {
        told().isLocked(KEY).join();
        assertHeard(Type.IS_LOCKED, Result.FAIL, KEY.hash(), null, null);
        heard.clear();
        found();
        told().isLocked(KEY).join();
        assertHeard(Type.IS_LOCKED, Result.OK, KEY.hash(), null, null);
    }

    @Test
    void a_lookup_is_told_with_the_hash_of_what_was_asked() {
        found();
        told().lookup(KEY).join();
        assertHeard(Type.LOOKUP, Result.OK, KEY.hash(), null, null);
        heard.clear();
        told().lookup(ID).join();
        assertHeard(Type.LOOKUP, Result.OK, null, ID.hash(), null);
    }

    @Test
    void a_lookup_that_found_nothing_is_told_as_failed() {
        told().lookup(KEY).join();
        assertHeard(Type.LOOKUP, Result.FAIL, KEY.hash(), null, null);
        heard.clear();
        told().lookup(ID).join();
        assertHeard(Type.LOOKUP, Result.FAIL, null, ID.hash(), null);
    }

    @Test
    void raw_values_are_told_only_where_they_are_asked_for() {
        LockStore told = told(event -> event.type() != Type.RELEASE);
        AcquireAttempt attempt = AcquireAttempt.of(KEY, TTL);
        told.acquire(attempt).join();
        told.extend(ID, TTL).join();
        told.isLocked(KEY).join();
        told.lookup(KEY).join();
        told.lookup(ID).join();
        told.release(ID).join();
        assertThat(heard).extracting(LockEvent::key).containsExactly("ledger", null, "ledger", "ledger", null, null);
        assertThat(heard)
                .extracting(LockEvent::lockId)
                .containsExactly(attempt.lockId().value(), ID.value(), null, null, ID.value(), null);
        assertThat(predicateCalls).as("once per event").isEqualTo(6);
    }

    @Test
    void a_predicate_that_fails_hides_raw_values_and_nothing_else() {
        LockStore told = told(event -> {
            throw new IllegalStateException("predicate");
        });
        assertThat(told.acquire(AcquireAttempt.of(KEY, TTL))).isCompleted();
        assertThat(heard)
                .singleElement()
                .satisfies(event -> assertThat(event.key()).isNull());
    }

    @Test
    void a_listener_that_fails_does_not_reach_the_operation() {
        LockStore told = TelemetryStore.around(store, new LockEvents(event -> {
            heard.add(event);
            throw new IllegalStateException("listener");
        }));
        assertThat(told.acquire(AcquireAttempt.of(KEY, TTL))).isCompleted();
        assertThat(told.release(ID)).isCompletedWithValue(ReleaseResult.RELEASED);
        assertThat(told.extend(ID, TTL)).isCompleted();
        assertThat(told.isLocked(KEY)).isCompletedWithValue(false);
        assertThat(told.lookup(KEY)).isCompletedWithValue(Optional.empty());
        assertThat(heard).hasSize(5);
    }

    @Test
    void what_failed_is_not_told() {
        LockException down = new LockException(LockErrorCode.SERVICE_UNAVAILABLE, "down");
        store.onAcquire = attempt -> CompletableFuture.failedFuture(down);
        store.onRelease = id -> CompletableFuture.failedFuture(down);
        store.onExtend = extension -> CompletableFuture.failedFuture(down);
        store.onRenew = extension -> CompletableFuture.failedFuture(down);
        store.onLookup = asked -> CompletableFuture.failedFuture(down);
        LockStore told = told();
        assertThat(told.acquire(AcquireAttempt.of(KEY, TTL))).isCompletedExceptionally();
        assertThat(told.release(ID)).isCompletedExceptionally();
        assertThat(told.extend(ID, TTL)).isCompletedExceptionally();
        assertThat(told.extendAll(List.of(new Extension(ID, TTL))))
                .allMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(told.isLocked(KEY)).isCompletedExceptionally();
        assertThat(told.lookup(KEY)).isCompletedExceptionally();
        assertThat(told.lookup(ID, CancelSignal.none())).isCompletedExceptionally();
        assertThat(heard).isEmpty();
        assertThatThrownBy(() -> told.blocking().release(ID)).isSameAs(down);
    }

    @Test
    void the_blocking_face_and_the_callers_thread_are_told_of_too() {
        told().blocking().release(ID);
        told().inCallerThread().release(ID).join();
        assertThat(heard).hasSize(2);
    }

    @Test
    void cancelling_a_told_future_reaches_the_store() {
        store.onAcquire = attempt -> new CompletableFuture<>();
        told().acquire(AcquireAttempt.of(KEY, TTL)).cancel(true);
        assertThat(store.acquire(0).answer()).isCancelled();
        assertThat(heard).isEmpty();
    }

    @Test
    void operations_on_handles_are_told_of() {
        LockOptions options = LockOptions.DEFAULT.listener(heard::add);
        try (RenewingLocks locks = new RenewingLocks(store, options)) {
            HeldLock lease = locks.acquire("ledger");
            lease.extend(TTL);
            lease.close();
            lease.close();
        }
        assertThat(heard).extracting(LockEvent::type).containsExactly(Type.ACQUIRE, Type.EXTEND, Type.RELEASE);
    }

    @Test
    void without_a_listener_the_store_is_left_as_it_is() {
        assertThat(TelemetryStore.around(store, new LockEvents(null))).isSameAs(store);
        try (RenewingLocks locks = new RenewingLocks(store, LockOptions.DEFAULT)) {
            assertThat(locks.store()).isSameAs(store);
        }
    }

    @Test
    void capabilities_watches_and_closing_are_passed_on() {
        LockStore told = told();
        assertThat(told.capabilities()).isEqualTo(store.capabilities());
        told.watch(KEY, () -> {}).close();
        told.close();
        assertThat(store.watches).hasSize(1);
        assertThat(store.closed).isTrue();
        assertThat(heard).isEmpty();
    }

    @Test
    void types_results_and_reasons_have_the_names_that_other_clients_use() {
        assertThat(Type.values())
                .extracting(Type::text)
                .containsExactly("acquire", "release", "extend", "isLocked", "lookup", "guard", "lost");
        assertThat(Result.values()).extracting(Result::text).containsExactly("ok", "fail");
        assertThat(Reason.values()).extracting(Reason::text).containsExactly("locked", "expired", "not-found");
    }
}
