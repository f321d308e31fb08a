package dev.leasehold.testkit.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.direct.LockGrant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A caller may choose the lock id of its grant, and repeat it for the same key. For another key it is refused while it is in use. */
public class ChosenLockIdContract extends LockContract {
    private static final int NEIGHBOURS = 40;

    private final LockId lockId = LockId.generate();

    private AcquireRequest chosen(String name) {
        return request(name).ttl(TTL).lockId(lockId);
    }

    private LockGrant grant(AcquireRequest request) {
        return soon(locks().async().grant(request)).orElseThrow();
    }

    private void assertRefused(ThrowingCallable call) {
        LockException refusal = assertFails(LockErrorCode.INVALID_ARGUMENT, call);
        assertThat(refusal)
                .hasMessageContaining("already in use for another key")
                .hasMessageNotContaining(lockId.value())
                .hasNoCause();
    }

    private void assertOnlyFirstIsHeld() {
        assertThat(isLocked("second")).isFalse();
        assertThat(locks().byLockId().owns(lockId.value())).isTrue();
        assertThat(isLocked("first")).isTrue();
    }

    @Test
    void an_acquire_that_repeats_its_lock_id_for_the_same_key_is_the_same_grant() {
        LockGrant first = grant(chosen("first"));
        LockGrant again = grant(chosen("first"));
        assertThat(again.lockId()).isEqualTo(first.lockId()).isEqualTo(lockId);
        assertThat(again.fence()).isEqualTo(first.fence());
    }

    @Test
    void a_lock_id_in_use_for_another_key_is_refused_and_nothing_changes() {
        HeldLock first = held(locks().tryAcquire(chosen("first")));
        assertRefused(() -> locks().tryAcquire(chosen("second")));
        assertRefused(() -> anotherNode().tryAcquire(chosen("second")));
        assertRefused(() -> locks().acquire(chosen("second").waitFor(NEVER)));
        assertRefused(() -> soon(locks().async().tryAcquire(chosen("second"))));
        assertOnlyFirstIsHeld();
        assertThat(first.release()).isTrue();
    }

    @Test
    void the_key_that_was_refused_can_be_acquired_with_another_lock_id() {
        grant(chosen("first"));
        assertRefused(() -> locks().tryAcquire(chosen("second")));
        grant(request("second").lockId(LockId.generate()));
        assertThat(isLocked("second")).isTrue();
    }

    @Test
    void after_its_release_a_lock_id_may_be_used_for_another_key() {
        grant(chosen("first"));
        assertThat(locks().byLockId().release(lockId.value())).isTrue();
        assertThat(grant(chosen("second")).lockId()).isEqualTo(lockId);
    }

    @Test
    void other_acquires_in_the_same_batch_are_granted() {
        grant(chosen("first"));
        List<CompletableFuture<Optional<LockGrant>>> all = IntStream.range(0, NEIGHBOURS)
                .mapToObj(i -> request("neighbour" + i).ttl(TTL).lockId(LockId.generate()))
                .flatMap(neighbour -> Stream.of(neighbour, chosen("second")))
                .map(request -> locks().async().grant(request))
                .toList();
        for (int i = 0; i < all.size(); i += 2) {
            assertThat(soon(all.get(i))).isPresent();
            CompletableFuture<?> refused = all.get(i + 1);
            assertRefused(() -> soon(refused));
        }
        assertOnlyFirstIsHeld();
    }

    @Test
    void of_acquires_of_the_same_key_that_with_the_lock_id_in_use_is_not_granted() {
        grant(chosen("first"));
        CompletableFuture<Optional<LockGrant>> refused = locks().async().grant(chosen("second"));
        List<CompletableFuture<Optional<LockGrant>>> rivals = Stream.generate(() -> request("second"))
                .limit(NEIGHBOURS)
                .map(request -> locks().async().grant(request.ttl(TTL)))
                .toList();
        assertThat(rivals.stream().filter(rival -> soon(rival).isPresent())).hasSize(1);
        assertThat(soon(refused.exceptionally(failure -> Optional.empty()))).isEmpty();
        assertThat(locks().byLockId().get(lockId.value()).orElseThrow().keyHash())
                .isEqualTo(lockKey("first").hash());
    }

    @Test
    void of_two_keys_that_are_acquired_at_once_with_one_lock_id_one_is_granted() {
        List<CompletableFuture<Optional<LockGrant>>> both = Stream.of("first", "second")
                .map(name -> locks().async().grant(chosen(name)))
                .toList();
        List<CompletableFuture<Optional<LockGrant>>> refused = both.stream()
                .filter(one -> one.handle((grant, failure) -> failure != null).join())
                .toList();
        assertThat(refused).hasSize(1);
        assertRefused(() -> soon(refused.get(0)));
        assertThat(Stream.of("first", "second").filter(this::isLocked)).hasSize(1);
        assertThat(locks().byLockId().release(lockId.value())).isTrue();
        assertThat(Stream.of("first", "second").filter(this::isLocked)).isEmpty();
    }

    @Test
    void a_waiter_with_a_lock_id_in_use_is_refused_and_the_next_one_is_granted() {
        grant(chosen("first"));
        HeldLock inTheWay = held(locks().tryAcquire(request("second")));
        var refused = locks().async().tryAcquire(chosen("second").waitFor(NEVER));
        var next = locks().async().tryAcquire(request("second").waitFor(NEVER));
        inTheWay.close();
        held(soon(next)).close();
        assertRefused(() -> soon(refused));
        assertOnlyFirstIsHeld();
    }
}
