package dev.leasehold.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class CompletionsTest {
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final List<String> unclaimed = new ArrayList<>();
    private final CompletableFuture<String> call = new CompletableFuture<>();

    @Test
    void a_future_completes_when_the_executor_runs_it() {
        CompletableFuture<String> result = Completions.on(tasks::add, call, unclaimed::add);
        call.complete("done");
        assertThat(result).isNotDone();
        tasks.remove().run();
        assertThat(result).isCompletedWithValue("done");
        assertThat(unclaimed).isEmpty();
    }

    @Test
    void a_failure_completes_it_too() {
        CompletableFuture<String> result = Completions.on(tasks::add, call, unclaimed::add);
        call.completeExceptionally(new IllegalStateException("down"));
        tasks.remove().run();
        assertThatThrownBy(result::join).hasRootCauseMessage("down");
    }

    @Test
    void cancelling_it_cancels_the_call() {
        CompletableFuture<String> result = Completions.on(tasks::add, call, unclaimed::add);
        result.cancel(true);
        assertThat(call).isCancelled();
    }

    @Test
    void a_result_that_nobody_takes_any_more_is_taken_back() {
        CompletableFuture<String> result = Completions.on(tasks::add, call, unclaimed::add);
        call.complete("lock");
        result.cancel(true);
        tasks.remove().run();
        assertThat(unclaimed).containsExactly("lock");
    }

    @Test
    void an_executor_that_refuses_does_not_lose_the_result() {
        CompletableFuture<String> result = Completions.on(
                task -> {
                    throw new RejectedExecutionException("closed");
                },
                call,
                unclaimed::add);
        call.complete("done");
        assertThat(result).isCompletedWithValue("done");
    }

    @Test
    void without_an_executor_it_is_the_call_itself() {
        assertThat(Completions.on(null, call, unclaimed::add)).isSameAs(call);
    }
}
