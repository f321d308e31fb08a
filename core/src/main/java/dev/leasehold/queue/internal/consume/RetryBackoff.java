package dev.leasehold.queue.internal.consume;

import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Backs off while the store fails; logs once that it fails, and once that it is back. */
final class RetryBackoff {
    private static final Logger log = LoggerFactory.getLogger(RetryBackoff.class);
    private static final long FIRST = Duration.ofMillis(100).toNanos();

    private final String where;
    private final long longest;
    private long next;

    /** {@code where} are key=value pairs for the log. */
    RetryBackoff(String where, Duration longest) {
        this.where = where;
        this.longest = longest.toNanos();
    }

    /** A call failed; returns the nanoseconds until it should be tried again. */
    long failed(QueueException why) {
        if (next == 0) {
            next = FIRST;
            log.warn("event=consumer_trouble {} code={}", where, why.code(), why);
        }
        long delay = next;
        next = Math.min(longest, 2 * next);
        return delay;
    }

    /** A call went well. */
    void over() {
        if (next > 0) {
            next = 0;
            log.info("event=consumer_trouble_over {}", where);
        }
    }

    /** Whether a call for many items failed because of one of them, so that it may succeed for the others. */
    static boolean isOfOneItem(QueueException why) {
        return switch (why.code()) {
            case NO_SUCH_ITEM, NOT_LEASED, INVALID_ARGUMENT -> true;
            default -> false;
        };
    }

    /** Whether no call to this queue will ever succeed again. */
    static boolean isTheEnd(QueueException why) {
        return why.code() == QueueErrorCode.NO_SUCH_QUEUE || why.code() == QueueErrorCode.SHUTTING_DOWN;
    }
}
