package dev.leasehold.memory;

import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.When;
import dev.leasehold.queue.admin.QueueLimits;
import dev.leasehold.queue.admin.StoredItem;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Arithmetic with deadlines. An instant beyond the year 9999 is stored as its end, so that nothing overflows. */
final class Deadlines {
    static final Instant FAR = StoredItem.NEVER;

    private Deadlines() {}

    static Instant after(Instant now, Duration delay) {
        return delay.compareTo(Duration.between(now, FAR)) < 0 ? now.plus(delay) : FAR;
    }

    static Instant expiry(Instant now, Duration expireTimeout) {
        return expireTimeout.compareTo(QueueConfig.NEVER) < 0 ? after(now, expireTimeout) : StoredItem.NEVER;
    }

    /** When an item is to become ready, or null if that is now or near to it. */
    static @Nullable Instant enqueueAt(When when, Instant now) {
        Duration delay = delay(when, now);
        return delay.compareTo(QueueLimits.NEAR_NOW) < 0 ? null : after(now, delay);
    }

    private static Duration delay(When when, Instant now) {
        if (when instanceof When.At at) {
            return Duration.between(now, at.moment());
        }
        return when instanceof When.After after ? after.delay() : Duration.ZERO;
    }
}
