package dev.leasehold.lock.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.LockOptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Locks that end within a beat are held as long as any other. A machine that really stands still may put one in doubt, so each
 * test is content with one run of several.
 */
class ShortTtlTest {
    private static final Duration TTL = Duration.ofMillis(240);
    private static final long STOP_NANOS = Duration.ofMillis(160).toNanos();

    private final FakeStore store = new FakeStore().granting();
    private final LeaseLocks<Lease> locks = new LeaseLocks<>(store, LockOptions.DEFAULT, Lease::new);

    @AfterEach
    void close() {
        locks.close();
    }

    private boolean staysHeld(AcquireRequest request, long nanos) {
        long start = System.nanoTime();
        Lease lease = locks.acquire(request);
        boolean held = true;
        while (held && System.nanoTime() - start < nanos - 5_000_000) {
            LockSupport.parkNanos(1_000_000);
            held = lease.isHeld() || System.nanoTime() - start >= nanos;
        }
        lease.close();
        return held;
    }

    @Test
    void without_renewal_it_is_held_until_shortly_before_its_end() {
        AcquireRequest request = AcquireRequest.of("ledger").ttl(TTL).withoutRenewal();
        assertThat(IntStream.range(0, 5).anyMatch(i -> staysHeld(request, STOP_NANOS)))
                .isTrue();
    }

    @Test
    void with_renewal_it_is_held_all_the_time() {
        store.onRenew = extension -> CompletableFuture.completedFuture(FakeStore.extended(extension));
        AcquireRequest request = AcquireRequest.of("ledger").ttl(TTL);
        assertThat(IntStream.range(0, 5).anyMatch(i -> staysHeld(request, 3 * TTL.toNanos())))
                .isTrue();
    }
}
