package dev.leasehold.lock.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.lock.Background;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class AwaitTest {
    private final LockException down = new LockException(LockErrorCode.SERVICE_UNAVAILABLE, "down");

    private final CompletableFuture<String> future = new CompletableFuture<>();

    private static void assertFails(ThrowingCallable call, LockErrorCode code) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void an_answer_is_returned() throws TimeoutException {
        future.complete("yes");
        assertThat(Await.interruptibly(future)).isEqualTo("yes");
        assertThat(Await.uninterruptibly(future, Duration.ZERO)).isEqualTo("yes");
    }

    @Test
    void a_lock_exception_is_thrown_as_it_is() {
        future.completeExceptionally(down);
        assertThatThrownBy(() -> Await.interruptibly(future)).isSameAs(down);
        assertThatThrownBy(() -> Await.interruptibly(future.thenApply(x -> x))).isSameAs(down);
        assertThatThrownBy(() -> Await.uninterruptibly(future, Duration.ZERO)).isSameAs(down);
    }

    @Test
    void a_cancelled_answer_is_aborted() {
        future.cancel(true);
        assertFails(() -> Await.interruptibly(future), LockErrorCode.ABORTED);
        assertFails(() -> Await.uninterruptibly(future, Duration.ZERO), LockErrorCode.ABORTED);
    }

    @Test
    void an_interrupt_cancels_the_call_and_stays_set() {
        Background<Boolean> work = Background.call(() -> {
            try {
                Await.interruptibly(future);
                return false;
            } catch (LockException e) {
                assertThat(e.code()).isEqualTo(LockErrorCode.ABORTED);
                return Thread.currentThread().isInterrupted();
            }
        });
        work.awaitParked().interrupt();
        assertThat(work.result()).isTrue();
        assertThat(future).isCancelled();
    }

    @Test
    void an_uninterruptible_wait_goes_on_and_leaves_the_interrupt_set() {
        Background<Boolean> work = Background.call(() -> {
            String answer = Await.uninterruptibly(future, Duration.ZERO);
            return "yes".equals(answer) && Thread.currentThread().isInterrupted();
        });
        work.awaitParked().interrupt();
        future.complete("yes");
        assertThat(work.result()).isTrue();
    }

    @Test
    void an_uninterruptible_wait_ends_at_its_limit_although_interrupted() {
        Background<Boolean> work = Background.call(() -> {
            Thread.currentThread().interrupt();
            try {
                Await.uninterruptibly(future, Duration.ofMillis(20));
                return false;
            } catch (TimeoutException e) {
                return Thread.currentThread().isInterrupted();
            }
        });
        assertThat(work.result()).isTrue();
    }

    @Test
    void failures_are_told_as_lock_exceptions() {
        assertThat(Await.failure(down)).isSameAs(down);
        assertThat(Await.failure(new CompletionException(down))).isSameAs(down);
        assertThat(Await.failure(new ExecutionException(down))).isSameAs(down);
        assertThat(Await.failure(new CancellationException()).code()).isEqualTo(LockErrorCode.ABORTED);
        LockException internal = Await.failure(new IllegalStateException("odd"));
        assertThat(internal.code()).isEqualTo(LockErrorCode.INTERNAL);
        assertThat(internal).hasMessageContaining("odd").cause().isInstanceOf(IllegalStateException.class);
    }
}
