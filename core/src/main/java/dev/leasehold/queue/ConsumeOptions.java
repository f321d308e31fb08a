package dev.leasehold.queue;

import java.time.Duration;

/**
 * How a consumer works. Immutable; start from {@link #DEFAULT}.
 *
 * @param concurrency how many handlers run at once
 * @param batchSize how many items are leased at a time, at most
 * @param firstBackoff how long an item waits that failed for the first time; it doubles with every attempt
 * @param longestBackoff the most that it waits
 * @param stopTimeout how long {@code close} waits for handlers before it interrupts them
 */
public record ConsumeOptions(
        int concurrency, int batchSize, Duration firstBackoff, Duration longestBackoff, Duration stopTimeout) {
    public static final ConsumeOptions DEFAULT =
            new ConsumeOptions(1, 10, Duration.ofSeconds(1), Duration.ofMinutes(5), Duration.ofSeconds(30));

    public ConsumeOptions {
        if (concurrency < 1) {
            throw QueueException.invalidArgument("concurrency must be at least 1, got " + concurrency);
        }
        QueueRules.leaseBatch(batchSize);
        notNegative("firstBackoff", firstBackoff);
        notNegative("stopTimeout", stopTimeout);
        if (longestBackoff.compareTo(firstBackoff) < 0) {
            throw QueueException.invalidArgument("longestBackoff must not be shorter than firstBackoff, got "
                    + longestBackoff + " and " + firstBackoff);
        }
    }

    private static void notNegative(String name, Duration value) {
        if (value.isNegative()) {
            throw QueueException.invalidArgument(name + " must not be negative, got " + value);
        }
    }

    public ConsumeOptions concurrency(int concurrency) {
        return new ConsumeOptions(concurrency, batchSize, firstBackoff, longestBackoff, stopTimeout);
    }

    public ConsumeOptions batchSize(int batchSize) {
        return new ConsumeOptions(concurrency, batchSize, firstBackoff, longestBackoff, stopTimeout);
    }

    public ConsumeOptions backoff(Duration first, Duration longest) {
        return new ConsumeOptions(concurrency, batchSize, first, longest, stopTimeout);
    }

    public ConsumeOptions stopTimeout(Duration stopTimeout) {
        return new ConsumeOptions(concurrency, batchSize, firstBackoff, longestBackoff, stopTimeout);
    }
}
