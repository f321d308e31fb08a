package dev.leasehold.testkit.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.Fence;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.admin.ListedLock;
import dev.leasehold.lock.admin.LockListing;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Operators see the live locks page by page, and take one away from whoever holds it. */
public class LockAdminContract extends LockContract {
    private static final Holder US = Holder.of("billing", "node-1");

    private final String prefix = "list-" + UUID.randomUUID() + "/";

    private LockKey listedKey(String name) {
        return LockKey.of(prefix + name);
    }

    private Granted granted(String name) {
        return grant(AcquireAttempt.of(listedKey(name), TTL));
    }

    private List<String> names(LockListing listing) {
        return soon(locks().admin().list(listing)).stream()
                .map(lock -> lock.key().value().substring(prefix.length()))
                .toList();
    }

    private LockListing ours() {
        return LockListing.DEFAULT.prefix(prefix);
    }

    private boolean forceRelease(String name, Fence fence) {
        return soon(locks().admin().forceRelease(lockKey(name), fence, "its holder hangs"));
    }

    @Test
    void a_listed_lock_shows_all_but_its_lock_id() {
        Granted anonymous = granted("a");
        Granted held = grant(AcquireAttempt.of(listedKey("b"), TTL).holder(US));
        assertThat(soon(locks().admin().list(ours())))
                .containsExactly(
                        new ListedLock(
                                listedKey("a"), null, anonymous.acquiredAt(), anonymous.expiresAt(), anonymous.fence()),
                        new ListedLock(listedKey("b"), US, held.acquiredAt(), held.expiresAt(), held.fence()));
    }

    @Test
    void locks_are_listed_in_byte_order() {
        List<String> inOrder = List.of("B", "_", "a", "a b", "aB", "ab", "z", "\u00e4", "\uff5e", "\ud83d\ude00");
        Stream.of(7, 2, 9, 0, 5, 3, 8, 1, 6, 4).map(inOrder::get).forEach(this::granted);
        assertThat(names(ours())).containsExactlyElementsOf(inOrder);
    }

    @Test
    void pages_begin_at_the_pivot_and_end_at_the_limit() {
        IntStream.range(0, 9).forEach(i -> granted("k" + i));
        assertThat(names(ours().limit(3))).containsExactly("k0", "k1", "k2");
        assertThat(names(ours().limit(3).pivot(prefix + "k3"))).containsExactly("k3", "k4", "k5");
        assertThat(names(ours().pivot(prefix + "k7x"))).containsExactly("k8");
        assertThat(names(ours().pivot(prefix + "k9"))).isEmpty();
        assertThat(names(ours().pivot("a"))).as("a pivot before the prefix").hasSize(9);
    }

    @Test
    void a_prefix_is_taken_literally() {
        Stream.of("a%", "a%b", "a_", "a_b", "ab", "a\\", "a\\b", "A%").forEach(this::granted);
        assertThat(names(ours().prefix(prefix + "a%"))).containsExactly("a%", "a%b");
        assertThat(names(ours().prefix(prefix + "a_"))).containsExactly("a_", "a_b");
        assertThat(names(ours().prefix(prefix + "a\\"))).containsExactly("a\\", "a\\b");
    }

    @Test
    void the_last_of_all_characters_belongs_to_the_prefix_too() {
        String last = Character.toString(Character.MAX_CODE_POINT);
        Stream.of("p", "p" + last, "p" + last + last, "p" + last + "z", "q").forEach(this::granted);
        assertThat(names(ours().prefix(prefix + "p")))
                .containsExactly("p", "p" + last, "p" + last + "z", "p" + last + last);
    }

    @Test
    void dead_locks_are_not_listed_and_those_within_the_tolerance_are() {
        clock().stop();
        grant(AcquireAttempt.of(listedKey("long"), TTL.multipliedBy(20)));
        granted("short");
        clock().advance(TTL.plusMillis(500));
        assertThat(names(ours())).containsExactly("long", "short");
        clock().advance(Duration.ofMillis(500));
        assertThat(names(ours())).containsExactly("long");
    }

    @Test
    void a_listing_is_checked_before_any_io() {
        assertFails(LockErrorCode.INVALID_ARGUMENT, () -> ours().limit(0));
        assertFails(LockErrorCode.INVALID_ARGUMENT, () -> ours().limit(LockListing.MAX_LIMIT + 1));
        assertFails(LockErrorCode.INVALID_ARGUMENT, () -> ours().prefix("a\0"));
        assertThat(names(ours().prefix(prefix + "\ud800").pivot("\ud800"))).isEmpty();
    }

    @Test
    void a_lock_is_taken_away_and_its_holder_has_it_no_more() {
        HeldLock held = locks().acquire(request("hanging").withoutRenewal());
        assertThat(forceRelease("hanging", held.fence())).isTrue();
        assertThat(isLocked("hanging")).isFalse();
        assertThat(held.extend(TTL)).isFalse();
        assertThat(held.isHeld()).isFalse();
        assertThat(held.release()).isFalse();
        assertThat(grant("hanging").fence()).isGreaterThan(held.fence());
    }

    @Test
    void a_holder_that_renews_learns_that_its_lock_was_taken_away() {
        HeldLock held = locks().acquire(request("renewed").ttl(Duration.ofMillis(900)));
        assertThat(forceRelease("renewed", held.fence())).isTrue();
        await(() -> !held.isHeld());
    }

    @Test
    void only_the_present_fence_counts() {
        Granted old = grant("moved");
        release(old);
        Granted present = grant("moved");
        assertThat(forceRelease("moved", old.fence())).isFalse();
        assertThat(forceRelease("moved", Fence.of(present.fence().value() + 1))).isFalse();
        assertThat(forceRelease("absent", old.fence())).isFalse();
        assertThat(locks().byLockId().owns(present.lockId().value())).isTrue();
        assertThat(forceRelease("moved", present.fence())).isTrue();
        assertThat(forceRelease("moved", present.fence())).isFalse();
    }

    @Test
    void a_dead_lock_is_not_taken_away() {
        Granted dead = grant("dead");
        outlive(TTL);
        assertThat(forceRelease("dead", dead.fence())).isFalse();
    }

    @Test
    void who_waits_is_woken() {
        Granted held = grant("awaited");
        HeardEvents heard = new HeardEvents();
        var waiting = wokenNode(heard).async().tryAcquire(request("awaited").waitFor(NEVER));
        awaitInLine(heard);
        assertThat(forceRelease("awaited", held.fence())).isTrue();
        held(soon(waiting)).close();
    }

    @Test
    void a_reason_is_asked_for() {
        Granted held = grant("why");
        var silent = locks().admin().forceRelease(lockKey("why"), held.fence(), " ");
        assertFails(LockErrorCode.INVALID_ARGUMENT, () -> soon(silent));
        assertThat(isLocked("why")).isTrue();
    }
}
