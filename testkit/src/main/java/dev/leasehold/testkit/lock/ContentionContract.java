package dev.leasehold.testkit.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockInfo;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Locked;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** At most one holder per key; whoever comes second is told so and changes nothing. */
public class ContentionContract extends LockContract {
    @Test
    void a_second_holder_is_refused_until_release() {
        Granted first = grant("contended");
        assertThat(isRefused("contended")).isTrue();
        assertThat(isLocked("contended")).isTrue();

        release(first);
        assertThat(grant("contended").lockId()).isNotEqualTo(first.lockId());
    }

    @Test
    void try_acquire_comes_back_empty_while_another_holds() {
        try (HeldLock lock = locks().acquire(key("held"))) {
            assertThat(locks().tryAcquire(lock.key().value())).isEmpty();
            assertThat(anotherNode().tryAcquire(lock.key().value())).isEmpty();
        }
        assertThat(locks().tryAcquire(key("held"))).isPresent();
    }

    @Test
    void a_refusal_tells_when_the_lock_ends_by_itself() {
        grant(attempt("ends", Duration.ofSeconds(60)));
        AcquireResult refusal = blocking().acquire(attempt("ends"));

        assertFreeIn(refusal, Duration.ofSeconds(61).minus(clockSlack()), Duration.ofSeconds(61));
    }

    @Test
    void a_lock_within_its_tolerance_is_free_when_that_is_over() {
        clock().stop();
        grant(attempt("ending", Duration.ofSeconds(10)));
        clock().advance(Duration.ofMillis(10_400));
        AcquireResult refusal = blocking().acquire(attempt("ending"));

        assertFreeIn(refusal, Duration.ofMillis(600), Duration.ofMillis(600));
    }

    private void assertFreeIn(AcquireResult refusal, Duration least, Duration most) {
        assertThat(refusal).isInstanceOf(Locked.class);
        Duration freeIn = ((Locked) refusal).freeIn();
        if (fixture().isRemote()) {
            assertThat(freeIn).isPositive();
        } else {
            assertThat(freeIn).isBetween(least, most);
        }
    }

    @Test
    void a_refused_attempt_changes_nothing() {
        Granted first = grant("untouched");
        for (int i = 0; i < 3; i++) {
            assertThat(isRefused("untouched")).isTrue();
        }
        LockInfo info = blocking().lookup(lockKey("untouched")).orElseThrow();
        assertThat(info.lockIdHash()).isEqualTo(first.lockId().hash());
        assertThat(info.expiresAt()).isEqualTo(first.expiresAt());
        assertThat(info.fence()).isEqualTo(first.fence());
    }

    @Test
    void different_keys_do_not_wait_for_each_other() {
        CyclicBarrier allInside = new CyclicBarrier(3);
        List<CompletableFuture<Integer>> work = Stream.of("x", "y", "z")
                .map(name -> inBackground(() -> locks().withLock(key(name), lock -> allInside.await())))
                .toList();
        assertThat(work).allSatisfy(LockContract::soon);
    }

    @Test
    void all_who_were_refused_may_come_again_after_expiry() {
        grant("several");
        List<CompletableFuture<Boolean>> others = IntStream.range(0, 3)
                .mapToObj(i -> inBackground(() -> isRefused("several")))
                .toList();
        assertThat(others.stream().map(LockContract::soon)).containsOnly(true);

        outlive(TTL);
        assertThat(isRefused("several")).isFalse();
    }

    @Test
    void of_five_who_come_at_once_one_is_granted() {
        CyclicBarrier start = new CyclicBarrier(5);
        List<CompletableFuture<AcquireResult>> attempts = IntStream.range(0, 5)
                .mapToObj(i -> inBackground(() -> {
                    start.await();
                    return blocking().acquire(attempt("rush"));
                }))
                .toList();
        List<AcquireResult> results = attempts.stream().map(LockContract::soon).toList();

        assertThat(results.stream().filter(AcquireResult::ok)).hasSize(1);
        outlive(TTL);
        assertThat(isLocked("rush")).isFalse();
    }

    @Test
    void texts_with_the_same_normal_form_name_the_same_lock() {
        String composed = key("caf\u00e9");
        String decomposed = key("cafe\u0301");
        grant(AcquireAttempt.of(LockKey.of(composed), TTL));

        assertThat(locks().isLocked(decomposed)).isTrue();
        assertThat(locks().tryAcquire(decomposed)).isEmpty();
    }

    @Test
    void keys_that_merely_look_alike_are_different_locks() {
        Stream.of("a", "A", "a ", " a", "a:", "a%", "a_")
                .forEach(name ->
                        assertThat(locks().tryAcquire(key(name))).as(name).isPresent());
    }
}
