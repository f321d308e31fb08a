package dev.leasehold.lock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.Background;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.spi.ReleaseResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Closing with a limit on how long it may take. */
class RenewingLockCloseTimeoutTest {
    private static final Duration LIMIT = Duration.ofMillis(30);

    private final RenewingLockFixture fixture = new RenewingLockFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private HeldLock lease(Duration limit) {
        fixture.options = fixture.options.disposeTimeout(limit);
        return fixture.lease();
    }

    @Test
    void a_close_that_takes_too_long_is_reported_as_a_network_timeout() {
        CompletableFuture<ReleaseResult> answer = fixture.slowRelease();
        HeldLock lease = lease(LIMIT);
        Background.run(lease::close).result();
        assertThat(fixture.reported).singleElement().satisfies(report -> {
            assertThat(report.error())
                    .isInstanceOfSatisfying(
                            LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.NETWORK_TIMEOUT))
                    .hasMessage("Lock disposal timed out after 30ms");
            assertThat(report.context().source()).isEqualTo("disposal");
        });
        answer.completeExceptionally(new LockException(LockErrorCode.SERVICE_UNAVAILABLE, "down"));
        assertThat(fixture.reported).as("a late failure is not reported again").hasSize(1);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void a_close_that_is_quick_is_not_reported() {
        lease(Duration.ofMinutes(1)).close();
        assertThat(fixture.reported).isEmpty();
    }

    @Test
    void a_failure_within_the_limit_is_reported_as_it_is() {
        LockException failure = new LockException(LockErrorCode.AUTH_FAILED, "no");
        fixture.failRelease(failure);
        lease(Duration.ofMinutes(1)).close();
        assertThat(fixture.reported)
                .singleElement()
                .satisfies(report -> assertThat(report.error()).isSameAs(failure));
    }

    @Test
    void without_a_limit_it_takes_as_long_as_the_store_takes() {
        CompletableFuture<ReleaseResult> answer = fixture.slowRelease();
        HeldLock lease = fixture.lease();
        Background<Boolean> close = Background.run(lease::close).awaitParked();
        assertThat(close.isDone()).isFalse();
        answer.complete(ReleaseResult.RELEASED);
        close.result();
        assertThat(fixture.reported).isEmpty();
    }

    @Test
    void a_release_by_hand_knows_no_limit() {
        CompletableFuture<ReleaseResult> answer = fixture.slowRelease();
        HeldLock lease = lease(Duration.ofMillis(1));
        Background<Boolean> release = Background.call(lease::release).awaitParked();
        answer.completeOnTimeout(ReleaseResult.RELEASED, 30, TimeUnit.MILLISECONDS);
        assertThat(release.result()).isTrue();
        assertThat(fixture.reported).isEmpty();
    }

    @Test
    void an_interrupt_does_not_cut_the_limit_short_and_stays_set() {
        CompletableFuture<ReleaseResult> answer = fixture.slowRelease();
        HeldLock lease = lease(Duration.ofMinutes(1));
        Background<Boolean> close = Background.call(() -> {
                    lease.close();
                    return Thread.currentThread().isInterrupted();
                })
                .awaitParked();
        close.interrupt();
        answer.complete(ReleaseResult.RELEASED);
        assertThat(close.result()).isTrue();
        assertThat(fixture.reported).isEmpty();
    }

    @Test
    void a_second_close_does_not_wait_for_what_the_first_gave_up() {
        CompletableFuture<ReleaseResult> unanswered = fixture.slowRelease();
        HeldLock lease = lease(LIMIT);
        Background.run(lease::close).result();
        Background.run(lease::close).result();
        assertThat(unanswered).isNotDone();
        assertThat(fixture.reported).hasSize(1);
        assertThat(fixture.store.releases).hasSize(1);
    }

    @Test
    void a_limit_of_forever_is_a_limit() {
        HeldLock lease = lease(Duration.ofSeconds(Long.MAX_VALUE));
        lease.close();
        assertThat(fixture.reported).isEmpty();
        assertThat(fixture.store.releases).hasSize(1);
    }
}
