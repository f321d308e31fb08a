package dev.leasehold.queue.internal;

import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Trouble with the store: says once that it began and once that it is over, and how long to wait in between. */
final class Trouble {
    private static final Logger log = LoggerFactory.getLogger(Trouble.class);
    private static final long FIRST = Duration.ofMillis(100).toNanos();

    private final String where;
    private final long longest;
    private long next;

    /** {@code where} are the pairs for the log that tell it from the trouble of others. */
    Trouble(String where, Duration longest) {
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
