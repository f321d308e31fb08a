package dev.leasehold.queue.internal;

import dev.leasehold.queue.ConsumeOptions;
import java.time.Duration;

/** How long an item waits that failed: as the options say, doubled with every attempt. */
final class RetryBackoff {
    private RetryBackoff() {}

    static Duration after(int attempts, ConsumeOptions options) {
        Duration backoff = options.firstBackoff();
        Duration half = options.longestBackoff().dividedBy(2);
        for (int i = 1; i < attempts && !backoff.isZero(); i++) {
            if (backoff.compareTo(half) > 0) {
                return options.longestBackoff();
            }
            backoff = backoff.multipliedBy(2);
        }
        return backoff;
    }
}
