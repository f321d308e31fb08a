package dev.leasehold.testkit.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.direct.HolderLocks;
import dev.leasehold.lock.direct.HolderLocks.HeldBy;
import dev.leasehold.lock.direct.HolderLocks.Release;
import dev.leasehold.lock.engine.RenewingLocks;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holders acquire, renew and release by key, without a lock id: the same locks as everybody else's. */
public class HolderLocksContract extends LockContract {
    private static final Holder US = Holder.of("billing", "node-1");
    private static final Holder THEM = Holder.of("billing", "node-2");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private HolderLocks holders() {
        return locks().async().byHolder();
    }

    private HeldBy acquire(String name, Holder holder, Duration lease) {
        return got(holders().acquire(lockKey(name), holder, lease));
    }

    private static HeldBy got(CompletableFuture<Optional<HeldBy>> call) {
        Optional<HeldBy> held = soon(call);
        assertThat(held).isPresent();
        return held.orElseThrow();
    }

    private Optional<HeldBy> renew(String name, Holder holder, Duration more) {
        return soon(holders().renew(lockKey(name), holder, more));
    }

    private Release release(String name, Holder holder) {
        return soon(holders().release(lockKey(name), holder));
    }

    private static void assertFree(CompletableFuture<Release> release) {
        assertThat(soon(release).isFree()).isTrue();
    }

    @Test
    void a_grant_is_like_any_other() {
        HeldBy held = acquire("plain", US, MINUTE);
        assertThat(held.lease()).isEqualTo(MINUTE);
        assertThat(held.expiresAt()).isEqualTo(held.acquiredAt().plus(MINUTE));
        assertThat(isRefused("plain")).isTrue();
        assertThat(locks().byLockId().owns(held.lockId().value())).isTrue();
        LockInfo info = soon(holders().get(lockKey("plain"))).orElseThrow();
        assertThat(info.holder()).isEqualTo(Optional.of(US));
        assertThat(info.fence()).isEqualTo(held.fence());
        assertThat(info.expiresAt()).isEqualTo(held.expiresAt());
    }

    @Test
    void somebody_else_is_refused() {
        acquire("taken", US, MINUTE);
        assertThat(soon(holders().acquire(lockKey("taken"), THEM, MINUTE))).isEmpty();
        grant("anonymous");
        assertThat(soon(holders().acquire(lockKey("anonymous"), US, MINUTE))).isEmpty();
        assertThat(soon(holders().get(lockKey("anonymous"))).orElseThrow().holder())
                .isEmpty();
    }

    @Test
    void a_repeated_acquire_replaces_the_lease_up_and_down() {
        HeldBy first = acquire("again", US, MINUTE);
        clock().advance(Duration.ofSeconds(10));
        HeldBy shorter = acquire("again", US, Duration.ofSeconds(20));
        assertThat(shorter.lockId()).isEqualTo(first.lockId());
        assertThat(shorter.fence()).isEqualTo(first.fence());
        assertThat(shorter.expiresAt()).isBetween(first.acquiredAt().plusSeconds(30), now().plusSeconds(20));

        HeldBy renewed = renew("again", US, Duration.ofSeconds(30)).orElseThrow();
        assertThat(renewed.lease()).as("20 s and 30 s more").isEqualTo(Duration.ofSeconds(50));
    }

    @Test
    void renewing_adds_to_what_is_left() {
        HeldBy held = acquire("more", US, MINUTE);
        clock().advance(Duration.ofSeconds(30));
        HeldBy renewed = renew("more", US, MINUTE).orElseThrow();
        assertThat(renewed)
                .isEqualTo(new HeldBy(
                        held.lockId(),
                        held.fence(),
                        Duration.ofMinutes(2),
                        held.acquiredAt(),
                        held.expiresAt().plus(MINUTE)));
        assertThat(soon(holders().get(lockKey("more"))).orElseThrow().expiresAt())
                .isEqualTo(renewed.expiresAt());
    }

    @Test
    void inside_the_tolerance_renewing_counts_from_the_old_expiry_and_after_it_never_works() {
        clock().stop();
        HeldBy held = acquire("late", US, MINUTE);
        clock().advance(MINUTE.plusMillis(500));
        HeldBy renewed = renew("late", US, MINUTE).orElseThrow();
        assertThat(renewed.expiresAt()).isEqualTo(held.expiresAt().plus(MINUTE));

        clock().advance(MINUTE.plusMillis(500));
        assertThat(renew("late", US, MINUTE)).isEmpty();
        assertThat(isLocked("late")).isFalse();
    }

    @Test
    void renewals_that_meet_are_all_added() {
        HeldBy held = acquire("together", US, MINUTE);
        List<CompletableFuture<Optional<HeldBy>>> all = IntStream.range(0, 20)
                .mapToObj(i -> holders().renew(lockKey("together"), US, Duration.ofSeconds(10)))
                .toList();
        all.forEach(HolderLocksContract::got);
        HeldBy last = renew("together", US, Duration.ofSeconds(10)).orElseThrow();
        assertThat(last.expiresAt()).isEqualTo(held.expiresAt().plusSeconds(210));
        assertThat(last.lease()).isEqualTo(MINUTE.plusSeconds(210));
    }

    @Test
    void a_renewed_lease_reaches_no_further_than_a_day() {
        HeldBy held = acquire("capped", US, MINUTE);
        HeldBy renewed = renew("capped", US, HolderLocks.MAX_LEASE).orElseThrow();
        assertThat(renewed.expiresAt())
                .isBetween(held.acquiredAt().plus(HolderLocks.MAX_LEASE), now().plus(HolderLocks.MAX_LEASE));

        clock().advance(MINUTE);
        HeldBy again = renew("capped", US, HolderLocks.MAX_LEASE).orElseThrow();
        assertThat(again.expiresAt()).isBetween(renewed.expiresAt().plus(MINUTE), now().plus(HolderLocks.MAX_LEASE));
        assertThat(again.lease())
                .as("what was added, not what was asked for")
                .isEqualTo(Duration.between(held.acquiredAt(), again.expiresAt()));
    }

    @Test
    void renewing_takes_nothing_away_from_a_lease_that_reaches_further() {
        Duration far = fixture().isRemote() ? HolderLocks.MAX_LEASE : Duration.ofDays(3);
        HeldBy held = acquire("far", US, far);
        HeldBy renewed = renew("far", US, MINUTE).orElseThrow();
        Instant furthest = now().plus(HolderLocks.MAX_LEASE);
        assertThat(renewed.expiresAt())
                .isBetween(held.expiresAt(), furthest.isAfter(held.expiresAt()) ? furthest : held.expiresAt());
        assertThat(renewed.lease()).isEqualTo(Duration.between(held.acquiredAt(), renewed.expiresAt()));
    }

    @Test
    void nobody_renews_what_is_not_theirs() {
        assertThat(renew("absent", US, MINUTE)).isEmpty();
        HeldBy held = acquire("theirs", THEM, MINUTE);
        Stream.of(US, Holder.of("shipping", "node-2"), Holder.of("node-2", "billing"))
                .forEach(other -> assertThat(renew("theirs", other, MINUTE)).isEmpty());
        grant("anonymous");
        assertThat(renew("anonymous", US, MINUTE)).isEmpty();
        assertThat(soon(holders().get(lockKey("theirs"))).orElseThrow().expiresAt())
                .isEqualTo(held.expiresAt());
    }

    @Test
    void the_holder_gives_back_and_may_repeat_it() {
        HeldBy held = acquire("back", US, MINUTE);
        assertThat(release("back", US)).isEqualTo(Release.RELEASED);
        assertThat(isLocked("back")).isFalse();
        assertThat(locks().byLockId().owns(held.lockId().value())).isFalse();
        assertThat(release("back", US)).isEqualTo(Release.NOT_HELD);
        assertThat(acquire("back", THEM, MINUTE).fence()).isGreaterThan(held.fence());
    }

    @Test
    void what_nobody_has_is_free_whoever_asks() {
        assertThat(release("absent", US)).isEqualTo(Release.NOT_HELD);
        clock().stop();
        acquire("dead", US, TTL);
        clock().advance(TTL.plusMillis(500));
        assertThat(release("dead", THEM)).as("still live").isEqualTo(Release.HELD_BY_OTHER);
        clock().advance(Duration.ofMillis(500));
        assertThat(release("dead", THEM)).isEqualTo(Release.NOT_HELD);
    }

    @Test
    void somebody_elses_lock_stays() {
        HeldBy held = acquire("theirs", THEM, MINUTE);
        assertThat(release("theirs", US)).isEqualTo(Release.HELD_BY_OTHER);
        assertThat(release("theirs", Holder.of("shipping", "node-2"))).isEqualTo(Release.HELD_BY_OTHER);
        assertThat(locks().byLockId().owns(held.lockId().value())).isTrue();
        grant("anonymous");
        assertThat(release("anonymous", US)).isEqualTo(Release.HELD_BY_OTHER);
        assertThat(isLocked("anonymous")).isTrue();
    }

    @Test
    void releases_that_meet_all_find_the_key_free() {
        acquire("together", US, MINUTE);
        List<CompletableFuture<Release>> all = IntStream.range(0, 10)
                .mapToObj(i -> holders().release(lockKey("together"), US))
                .toList();
        all.forEach(HolderLocksContract::assertFree);
        assertThat(isLocked("together")).isFalse();
    }

    @Test
    void a_release_wakes_who_waits_on_another_node() {
        acquire("there", US, MINUTE);
        HeardEvents heard = new HeardEvents();
        var waiting = wokenNode(heard).async().tryAcquire(request("there").waitFor(NEVER));
        awaitInLine(heard);
        assertFree(holders().release(lockKey("there"), US));
        held(soon(waiting)).close();
    }

    @Test
    void a_release_wakes_who_waits_although_a_node_releases_that_never_had_it() {
        acquire("elsewhere", US, MINUTE);
        HeardEvents heard = new HeardEvents();
        var waiting = wokenNode(heard).async().tryAcquire(request("elsewhere").waitFor(NEVER));
        awaitInLine(heard);
        assertFree(anotherNode().async().byHolder().release(lockKey("elsewhere"), US));
        held(soon(waiting)).close();
    }

    @Test
    void a_waiter_of_the_same_node_is_woken_too() {
        acquire("here", US, MINUTE);
        HeardEvents heard = new HeardEvents();
        RenewingLocks node = wokenNode(heard);
        var waiting = node.async().tryAcquire(request("here").waitFor(NEVER));
        awaitInLine(heard);
        assertFree(node.async().byHolder().release(lockKey("here"), US));
        held(soon(waiting)).close();
    }

    @Test
    void many_keys_may_travel_together() {
        List<LockKey> keys =
                IntStream.range(0, 40).mapToObj(i -> lockKey("many" + i)).toList();
        keys.stream().map(key -> holders().acquire(key, US, MINUTE)).toList().forEach(HolderLocksContract::got);
        keys.stream()
                .map(key -> holders().renew(key, US, MINUTE))
                .toList()
                .forEach(call -> assertThat(got(call).lease()).isEqualTo(Duration.ofMinutes(2)));
        keys.stream().map(key -> holders().release(key, US)).toList().forEach(HolderLocksContract::assertFree);
        keys.forEach(key -> assertThat(blocking().isLocked(key)).isFalse());
    }

    @Test
    void wrong_arguments_fail_the_future() {
        LockKey key = lockKey("wrong");
        var acquire = holders().acquire(key, US, Duration.ZERO);
        var renew = holders().renew(key, US, Duration.ofNanos(1));
        assertFails(LockErrorCode.INVALID_ARGUMENT, () -> soon(acquire));
        assertFails(LockErrorCode.INVALID_ARGUMENT, () -> soon(renew));
    }
}
