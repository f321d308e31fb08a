package dev.leasehold.postgres;

import dev.leasehold.testkit.TestWaits;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Several checks that each wait for something: they wait at the same time. */
public final class AtOnce {
    private AtOnce() {}

    /** Runs them in a thread each, and throws what the first of them threw that failed. */
    public static void run(ThrowingCallable... checks) {
        List<CompletableFuture<Void>> running =
                Stream.of(checks).map(AtOnce::start).toList();
        try {
            running.forEach(TestWaits::get);
        } catch (CompletionException e) {
            if (e.getCause() instanceof AssertionError failed) {
                throw failed;
            }
            throw e;
        }
    }

    private static CompletableFuture<Void> start(ThrowingCallable check) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                check.call();
                done.complete(null);
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return done;
    }
}
