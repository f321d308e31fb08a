package dev.leasehold.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.CapturedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class FuturesTest {
    private final CompletableFuture<String> future = new CompletableFuture<>();
    private final IllegalStateException trouble = new IllegalStateException("trouble of a callback");

    @Test
    void a_callback_gets_the_value_or_the_failure() {
        List<Object> got = new ArrayList<>();
        CompletableFuture<String> failed = CompletableFuture.failedFuture(trouble);
        Futures.whenDone(future, (value, failure) -> got.add(value));
        Futures.whenDone(failed, (value, failure) -> got.add(failure));
        assertThat(got).containsExactly(trouble);
        future.complete("value");
        assertThat(got).containsExactly(trouble, "value");
    }

    @Test
    void a_callback_that_throws_is_logged() {
        try (CapturedLog log = new CapturedLog()) {
            Futures.whenDone(future, (value, failure) -> {
                throw trouble;
            });
            Futures.whenDone(future, (value, failure) -> {
                throw new AssertionError("error of a callback");
            });
            future.complete("value");
            assertThat(log.lines("IllegalStateException: trouble of a callback"))
                    .hasSize(1);
            assertThat(log.lines("AssertionError: error of a callback")).hasSize(1);
        }
    }

    @Test
    void a_failure_comes_without_its_wrapper() {
        CompletableFuture<Integer> length = future.thenApply(String::length);
        CompletableFuture<Integer> unwrapped = Futures.unwrapped(length);
        future.completeExceptionally(trouble);
        assertThat(unwrapped.handle((value, failure) -> failure)).isCompletedWithValue(trouble);
        assertThat(Futures.unwrapped(CompletableFuture.completedFuture(5))).isCompletedWithValue(5);
    }
}
