package dev.leasehold.lock.engine;

import static dev.leasehold.TestWaits.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.lock.Background;
import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.CapturedLog;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOptions.ReleaseErrorHandler;
import dev.leasehold.lock.spi.ReleaseResult;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How a handle gives its lock back: at most once, and without ever throwing from close. */
class RenewingLockCloseTest {
    private final LockException down = new LockException(LockErrorCode.SERVICE_UNAVAILABLE, "down");

    private final RenewingLockFixture fixture = new RenewingLockFixture();
    private final FakeStore store = fixture.store;

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void a_release_gives_the_lock_back_whatever_signal_the_caller_has() {
        assertThat(fixture.lease().release()).isTrue();
        assertThat(store.releases).singleElement().satisfies(asked -> {
            assertThat(asked.question()).isEqualTo(fixture.lockId);
            assertThat(asked.signal()).isSameAs(CancelSignal.none());
        });
    }

    @Test
    void only_the_first_release_has_an_effect() {
        HeldLock lease = fixture.lease();
        assertThat(List.of(lease.release(), lease.release(), lease.release())).containsExactly(true, false, false);
        assertThat(store.releases).hasSize(1);
    }

    @Test
    void only_the_first_close_has_an_effect() {
        HeldLock lease = fixture.lease();
        lease.close();
        lease.close();
        lease.close();
        assertThat(store.releases).hasSize(1);
        assertThat(lease.release()).isFalse();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void a_close_after_a_release_has_no_effect() {
        HeldLock lease = fixture.lease();
        lease.release();
        lease.close();
        assertThat(store.releases).hasSize(1);
        assertThat(fixture.reported).isEmpty();
    }

    @Test
    void a_lock_that_was_gone_is_no_error() {
        store.onRelease = id -> CompletableFuture.completedFuture(ReleaseResult.NOT_FOUND);
        assertThat(fixture.lease().release()).isFalse();
        fixture.lease().close();
        assertThat(fixture.reported).isEmpty();
    }

    @Test
    void a_release_that_failed_is_thrown_and_not_reported() {
        fixture.failRelease(down);
        HeldLock lease = fixture.lease();
        assertThatThrownBy(lease::release).isSameAs(down);
        assertThat(lease.release()).isFalse();
        lease.close();
        assertThat(fixture.reported).isEmpty();
        assertThat(store.releases).as("never tried again").hasSize(1);
    }

    @Test
    void an_unexpected_failure_of_the_store_is_internal() {
        fixture.failRelease(new IllegalStateException("odd"));
        assertThatThrownBy(() -> fixture.lease().release())
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.INTERNAL))
                .hasRootCauseMessage("odd");
    }

    @Test
    void a_close_that_failed_is_reported_once_with_key_lock_id_and_source() {
        fixture.failRelease(down);
        HeldLock lease = fixture.lease();
        assertThatCode(lease::close).doesNotThrowAnyException();
        lease.close();
        assertThat(fixture.reported)
                .containsExactly(new RenewingLockFixture.Reported(
                        down, new ReleaseErrorHandler.Context("ledger:7", fixture.lockId, "disposal")));
    }

    @Test
    void an_unexpected_failure_in_close_is_reported_as_internal() {
        fixture.failRelease(new IllegalStateException("odd"));
        fixture.lease().close();
        assertThat(fixture.reported)
                .singleElement()
                .satisfies(report -> assertThat(report.error())
                        .isInstanceOfSatisfying(
                                LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.INTERNAL)));
    }

    @Test
    void a_close_that_succeeded_is_not_reported() {
        fixture.lease().close();
        assertThat(fixture.reported).isEmpty();
    }

    @Test
    void what_the_handler_throws_is_swallowed() {
        fixture.failRelease(down);
        fixture.options = LockOptions.DEFAULT.onReleaseError((error, context) -> {
            throw new IllegalStateException("the handler is broken");
        });
        try (CapturedLog log = new CapturedLog()) {
            assertThatCode(() -> fixture.lease().close()).doesNotThrowAnyException();
            assertThat(log.lines("the handler is broken")).isEmpty();
            assertThat(log.lines("event=release_error_handler_failed")).isEmpty();
        }
    }

    @Test
    void without_a_handler_it_is_logged_without_key_and_lock_id() {
        fixture.failRelease(down);
        fixture.options = LockOptions.DEFAULT;
        try (CapturedLog log = new CapturedLog()) {
            fixture.lease().close();
            assertThat(log.lines("event=release_failed keyHash="
                            + fixture.lease().key().hash()))
                    .hasSize(1);
            assertThat(log.lines("ledger:7")).isEmpty();
            assertThat(log.lines(fixture.lockId.value())).isEmpty();
        }
    }

    @Test
    void many_closes_at_once_release_once_and_report_once() {
        CompletableFuture<ReleaseResult> answer = fixture.slowRelease();
        HeldLock lease = fixture.lease();
        List<Background<Boolean>> closes =
                Stream.generate(() -> Background.run(lease::close)).limit(8).toList();
        closes.forEach(Background::awaitParked);
        answer.completeExceptionally(down);
        closes.forEach(Background::result);
        assertThat(store.releases).hasSize(1);
        assertThat(fixture.reported).hasSize(1);
    }

    @Test
    void a_close_waits_for_the_release_that_is_under_way() {
        CompletableFuture<ReleaseResult> answer = fixture.slowRelease();
        HeldLock lease = fixture.lease();
        Background<Boolean> release = Background.call(lease::release).awaitParked();
        Background<Boolean> close = Background.run(lease::close).awaitParked();
        assertThat(close.isDone()).isFalse();
        assertThat(lease.isHeld()).isFalse();
        answer.complete(ReleaseResult.RELEASED);
        assertThat(release.result()).isTrue();
        close.result();
        assertThat(store.releases).hasSize(1);
    }

    @Test
    void a_close_during_a_failing_release_reports_nothing() {
        CompletableFuture<ReleaseResult> answer = fixture.slowRelease();
        HeldLock lease = fixture.lease();
        Background<Boolean> release = Background.call(lease::release).awaitParked();
        Background<Boolean> close = Background.run(lease::close).awaitParked();
        answer.completeExceptionally(down);
        assertThatThrownBy(release::result).isSameAs(down);
        close.result();
        assertThat(fixture.reported).isEmpty();
    }

    @Test
    void a_release_during_a_close_is_told_false_at_once() {
        CompletableFuture<ReleaseResult> answer = fixture.slowRelease();
        HeldLock lease = fixture.lease();
        Background<Boolean> close = Background.run(lease::close).awaitParked();
        assertThat(lease.release()).isFalse();
        answer.complete(ReleaseResult.RELEASED);
        close.result();
    }

    @Test
    void an_interrupted_thread_still_gives_its_lock_back_and_stays_interrupted() {
        CompletableFuture<ReleaseResult> answer = fixture.slowRelease();
        HeldLock lease = fixture.lease();
        Background<Boolean> close = Background.call(() -> {
            Thread.currentThread().interrupt();
            lease.close();
            return Thread.currentThread().isInterrupted();
        });
        await().until(() -> store.releases.size() == 1);
        close.awaitParked();
        close.interrupt();
        answer.complete(ReleaseResult.RELEASED);
        assertThat(close.result()).isTrue();
        assertThat(fixture.reported).isEmpty();
    }

    @Test
    void an_interrupted_release_is_not_cut_short_either() {
        CompletableFuture<ReleaseResult> answer = fixture.slowRelease();
        HeldLock lease = fixture.lease();
        Background<Boolean> release = Background.call(lease::release).awaitParked();
        release.interrupt();
        answer.complete(ReleaseResult.RELEASED);
        assertThat(release.result()).isTrue();
    }

    @Test
    void work_that_fails_is_heard_although_the_release_fails_too() {
        fixture.failRelease(down);
        HeldLock lease = fixture.lease();
        assertThatThrownBy(() -> {
                    try (lease) {
                        lease.checkpoint();
                        throw new IllegalStateException("work");
                    }
                })
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("work")
                .hasNoSuppressedExceptions();
        assertThat(fixture.reported).hasSize(1);
    }
}
