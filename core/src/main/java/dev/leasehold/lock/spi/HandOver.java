package dev.leasehold.lock.spi;

import java.util.concurrent.CompletableFuture;

/**
 * A release and the attempt of the next waiter, sent together.
 *
 * @param released the result of the release
 * @param acquired the result of the attempt, which saw the release
 */
public record HandOver(CompletableFuture<ReleaseResult> released, CompletableFuture<AcquireResult> acquired) {}
