package dev.leasehold.queue;

import java.time.Duration;

/** How a consumer works. Immutable; start from {@link #DEFAULT}. */
public final class ConsumeOptions {
    /** One handler at a time, 10 items a lease, retries after 1 s to 5 min, no limit on a handler's time, 30 s to stop. */
    public static final ConsumeOptions DEFAULT = new ConsumeOptions(
            1,
            10,
            RetryRules.exponential(Duration.ofSeconds(1), Duration.ofMinutes(5)),
            Duration.ZERO,
            Duration.ofSeconds(30));

    private final int concurrency;
    private final int batchSize;
    private final RetryRules retry;
    private final Duration handlerTimeout;
    private final Duration stopTimeout;

    private ConsumeOptions(
            int concurrency, int batchSize, RetryRules retry, Duration handlerTimeout, Duration stopTimeout) {
        if (concurrency < 1) {
            throw QueueException.invalidArgument("concurrency must be at least 1, got " + concurrency);
        }
        QueueRules.leaseBatch(batchSize);
        notNegative("handlerTimeout", handlerTimeout);
        notNegative("stopTimeout", stopTimeout);
        this.concurrency = concurrency;
        this.batchSize = batchSize;
        this.retry = retry;
        this.handlerTimeout = handlerTimeout;
        this.stopTimeout = stopTimeout;
    }

    private static void notNegative(String name, Duration value) {
        if (value.isNegative()) {
            throw QueueException.invalidArgument(name + " must not be negative, got " + value);
        }
    }

    /** How many handlers run at once. */
    public int concurrency() {
        return concurrency;
    }

    /** How many items are leased at a time, at most. */
    public int batchSize() {
        return batchSize;
    }

    /** When items are retried whose handler threw. */
    public RetryRules retry() {
        return retry;
    }

    /** How long a handler may run before it is interrupted; zero: as long as it likes. */
    public Duration handlerTimeout() {
        return handlerTimeout;
    }

    /** How long {@code close} waits for handlers before it interrupts them. */
    public Duration stopTimeout() {
        return stopTimeout;
    }

    /** How many handlers run at once; 1 by default. */
    public ConsumeOptions concurrency(int concurrency) {
        return new ConsumeOptions(concurrency, batchSize, retry, handlerTimeout, stopTimeout);
    }

    /** How many items are leased at a time, at most; 10 by default, 1,000 at most. */
    public ConsumeOptions batchSize(int batchSize) {
        return new ConsumeOptions(concurrency, batchSize, retry, handlerTimeout, stopTimeout);
    }

    /** When items are retried whose handler threw; after 1 s, doubling up to 5 min, with jitter, by default. */
    public ConsumeOptions retry(RetryRules retry) {
        return new ConsumeOptions(concurrency, batchSize, retry, handlerTimeout, stopTimeout);
    }

    /**
     * How long a handler may run. After that its thread is interrupted, and if it throws, that counts as a {@link
     * HandlerTimeoutException}. Zero, the default: as long as it likes.
     */
    public ConsumeOptions handlerTimeout(Duration handlerTimeout) {
        return new ConsumeOptions(concurrency, batchSize, retry, handlerTimeout, stopTimeout);
    }

    /** How long {@code close} waits for handlers before it interrupts them; 30 s by default. */
    public ConsumeOptions stopTimeout(Duration stopTimeout) {
        return new ConsumeOptions(concurrency, batchSize, retry, handlerTimeout, stopTimeout);
    }
}
