package dev.leasehold.cli.command;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Waiting for calls that have no blocking form. */
public final class Futures {
    private Futures() {}

    /** What the future brings; its failure is thrown as it is. */
    public static <T> T await(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }
}
