package dev.leasehold.lock.spi;

import java.util.concurrent.CompletableFuture;

/**
 * A release and the attempt of whoever is next in line, sent together.
 *
 * @param released what became of the release
 * @param acquired what became of the attempt, which saw the release
 */
public record HandOver(CompletableFuture<ReleaseResult> released, CompletableFuture<AcquireResult> acquired) {}
