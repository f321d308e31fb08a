package dev.leasehold.queue;

import dev.leasehold.queue.admin.QueueLimits;
import dev.leasehold.spi.GoDuration;
import dev.leasehold.spi.Texts;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

/**
 * Validates what callers pass. The library and every HTTP API refuse with the same messages. No rule costs I/O.
 *
 * <p>A message is a constant part, a semicolon, and the details, so that clients can match the constant part.
 */
public final class QueueRules {
    private static final int MAX_NAME = 512;
    private static final int MAX_DEAD_QUEUE = 500;
    private static final int MAX_NAMESPACE = 256;
    private static final int MAX_REFERENCE = 2000;
    private static final int MAX_TIMEOUT_TEXT = 15;
    private static final Duration LEAST_TIMEOUT = Duration.ofNanos(1000);

    private QueueRules() {}

    /** A name for a queue. */
    public static void name(String name) {
        if (bytes(name) > MAX_NAME) {
            throw wrong("queue name is invalid; cannot be greater than '512' characters");
        }
        reference("queue name", name);
        if (hasWhitespace(name)) {
            throw wrong("queue name is invalid; '" + name + "' cannot contain whitespace");
        }
        noTilde("queue name", name);
        storable("queue name", name);
    }

    /** A name by which a queue is looked up: what breaks other rules simply does not exist. */
    public static void lookup(String name) {
        reference("queue name", name);
        noTilde("queue name", name);
        storable("queue name", name);
    }

    private static void reference(String field, String name) {
        if (isBlank(name)) {
            throw wrong(field + " is invalid; queue name cannot be empty");
        }
    }

    /** A namespace. */
    public static void namespace(String namespace) {
        if (bytes(namespace) > MAX_NAMESPACE) {
            throw wrong("namespace name is invalid; cannot be greater than '256' characters");
        }
        if (isBlank(namespace)) {
            throw wrong("namespace name is invalid; cannot be empty");
        }
        if (hasWhitespace(namespace)) {
            throw wrong("namespace name is invalid; '" + namespace + "' cannot contain whitespace");
        }
        noTilde("namespace name", namespace);
        if (namespace.contains(":")) {
            throw wrong("namespace name is invalid; '" + namespace + "' cannot contain ':' character");
        }
        storable("namespace name", namespace);
    }

    /** A dead queue for the queue {@code name}; empty means none. Whether it exists is for the store to say. */
    public static void deadQueue(String name, String deadQueue) {
        if (bytes(deadQueue) > MAX_DEAD_QUEUE) {
            throw wrong("dead queue is invalid; cannot be greater than '500' characters");
        }
        if (hasWhitespace(deadQueue)) {
            throw wrong("dead queue is invalid; '" + deadQueue + "' cannot contain whitespace");
        }
        noTilde("dead queue", deadQueue);
        storable("dead queue", deadQueue);
        if (deadQueue.equals(name)) {
            throw wrong("dead_queue cannot reference itself");
        }
    }

    /** The name of a dead queue that a queue gets by default. */
    public static void ownDeadQueue(String deadQueue) {
        if (bytes(deadQueue) > MAX_DEAD_QUEUE) {
            throw wrong("dead queue is invalid; '" + deadQueue + "' would be greater than '500' characters:"
                    + " name a dead queue, or say discardDead");
        }
    }

    /** Everything that is set of a queue. */
    public static void settings(String reference, int maxAttempts, int partitions, Duration lease, Duration expire) {
        reference(reference);
        maxAttempts(maxAttempts);
        partitions(partitions);
        timeout("lease timeout", lease);
        timeout("expire timeout", expire);
        if (lease.compareTo(QueueConfig.NEVER) > 0) {
            throw wrong("lease timeout is too long; cannot be greater than " + GoDuration.format(QueueConfig.NEVER));
        }
        if (lease.compareTo(expire) > 0) {
            throw wrong("lease timeout is too long; " + GoDuration.format(lease)
                    + " cannot be greater than the expire timeout " + GoDuration.format(expire));
        }
    }

    /** The reference of a queue. */
    public static void reference(String reference) {
        if (bytes(reference) > MAX_REFERENCE) {
            throw wrong("reference field is invalid; cannot be greater than '2000' characters");
        }
        storable("reference field", reference);
    }

    /** How many attempts a queue may give. */
    public static void maxAttempts(int maxAttempts) {
        if (maxAttempts > QueueLimits.MAX_ATTEMPTS) {
            throw wrong("max attempts is invalid; cannot be greater than " + QueueLimits.MAX_ATTEMPTS);
        }
        if (maxAttempts < 0) {
            throw wrong("max attempts is invalid; cannot be negative number");
        }
    }

    /** How many partitions a queue may have. */
    public static void partitions(int partitions) {
        if (partitions < 1) {
            throw wrong("partitions is invalid; cannot be less than 1");
        }
        if (partitions > QueueLimits.MAX_PARTITIONS) {
            throw wrong("partitions is invalid; cannot be greater than " + QueueLimits.MAX_PARTITIONS);
        }
    }

    private static void timeout(String field, Duration timeout) {
        if (timeout.compareTo(LEAST_TIMEOUT) < 0) {
            throw wrong(field + " is invalid; cannot be empty");
        }
    }

    /** The lease timeout of a queue as text, such as 1m30s. */
    public static Duration parseLeaseTimeout(String text) {
        return parse("lease timeout", text, "8m, 15m or 1h");
    }

    /** The expire timeout of a queue as text, such as 24h. */
    public static Duration parseExpireTimeout(String text) {
        return parse("expire timeout", text, "60m, 2h or 24h");
    }

    /** The timeout of a request as text; empty is zero. */
    public static Duration parseRequestTimeout(String text) {
        return parse("request timeout", text, "900ms, 5m or 15m");
    }

    /** Whether the text of a queue's timeout is short enough; comes before it is parsed. */
    public static void timeoutText(String field, String text) {
        if (bytes(text) > MAX_TIMEOUT_TEXT) {
            throw wrong(field + " is invalid; cannot be greater than '15' characters");
        }
    }

    private static Duration parse(String field, String text, String examples) {
        if (text.isEmpty()) {
            return Duration.ZERO;
        }
        try {
            return GoDuration.parse(text);
        } catch (IllegalArgumentException e) {
            throw wrong(field + " is invalid; " + e.getMessage() + " - expected format: " + examples);
        }
    }

    /** The timeout of a produce. */
    public static void produceTimeout(Duration timeout) {
        timeoutIsGiven(timeout);
        timeoutIsShortEnough(timeout);
        timeoutIsLongEnough(timeout);
    }

    /** How many items one produce may bring. */
    public static void produceBatch(int size) {
        if (size == 0) {
            throw wrong("items cannot be empty; at least one item is required");
        }
        atMost("items", "max_produce_batch_size", QueueLimits.MAX_BATCH, size);
    }

    /** What is said of an item that would expire before it is ready. */
    public static QueueException expiresFirst(Instant ready, Instant expires) {
        return wrong("enqueue time is invalid; the item would be ready at " + ready + ", but it expires at " + expires
                + ": choose an earlier time, or a longer expire timeout");
    }

    /** The client id of a lease request. */
    public static void clientId(String clientId) {
        if (isBlank(clientId)) {
            throw wrong("invalid client id; cannot be empty");
        }
    }

    /** How many items one lease may ask for. */
    public static void leaseBatch(int size) {
        if (size <= 0) {
            throw wrong("invalid batch size; must be greater than zero");
        }
        if (size > QueueLimits.MAX_BATCH) {
            throw wrong("invalid batch size; max_lease_batch_size is " + QueueLimits.MAX_BATCH + ", but " + size
                    + " was requested");
        }
    }

    /** How long a lease request may wait. */
    public static void leaseTimeout(Duration timeout) {
        produceTimeout(timeout);
    }

    /** The timeout of a complete. */
    public static void completeTimeout(Duration timeout) {
        timeoutIsShortEnough(timeout);
        timeoutIsGiven(timeout);
    }

    private static void timeoutIsGiven(Duration timeout) {
        if (timeout.isZero()) {
            throw wrong("request timeout is required; '5m' is recommended, 15m is the maximum");
        }
    }

    private static void timeoutIsShortEnough(Duration timeout) {
        if (timeout.compareTo(QueueLimits.MAX_REQUEST_TIMEOUT) > 0) {
            throw wrong("request timeout is invalid; maximum timeout is '15m' but '" + GoDuration.format(timeout)
                    + "' was requested");
        }
    }

    private static void timeoutIsLongEnough(Duration timeout) {
        if (timeout.compareTo(QueueLimits.MIN_REQUEST_TIMEOUT) <= 0) {
            throw wrong("request timeout is invalid; minimum timeout is '10ms' but '" + GoDuration.format(timeout)
                    + "' was requested");
        }
    }

    /** How many ids one complete or extend may name. */
    public static void ids(int size) {
        if (size == 0) {
            throw wrong("ids is invalid; list of ids cannot be empty");
        }
        atMost("ids", "max_complete_batch_size", QueueLimits.MAX_BATCH, size);
    }

    /** What one extend may ask for. */
    public static void extension(int size, Duration leaseTimeout) {
        ids(size);
        if (leaseTimeout.isNegative()) {
            throw wrong("lease timeout is invalid; cannot be negative");
        }
    }

    /** How many items one retry may name. */
    public static void retries(int size) {
        if (size == 0) {
            throw wrong("items is invalid; list of items cannot be empty");
        }
        atMost("items", "max_complete_batch_size", QueueLimits.MAX_BATCH, size);
    }

    /** How many items one import may bring. */
    public static void importBatch(int size) {
        notEmpty("items", size);
        atMost("items", "max_import_batch_size", QueueLimits.MAX_ITEMS_PAGE, size);
    }

    /** How many items one delete may name. */
    public static void deleteBatch(int size) {
        notEmpty("ids", size);
        atMost("ids", "max_delete_batch_size", QueueLimits.MAX_ITEMS_PAGE, size);
    }

    private static void notEmpty(String field, int size) {
        if (size == 0) {
            throw wrong(field + " is invalid; cannot be empty");
        }
    }

    private static void atMost(String field, String limit, int most, int size) {
        if (size > most) {
            throw wrong(field + " is invalid; " + limit + " is " + most + " but received " + size);
        }
    }

    /** Whether a queue has that partition. */
    public static void partition(int partition, int count) {
        if (partition < 0 || partition >= count) {
            throw wrong("partition is invalid; '" + partition + "' is not a valid partition");
        }
    }

    /** The page of a listing of queues. */
    public static void listing(String pivot, int limit) {
        if (limit < 0) {
            throw wrong("limit is invalid; limit cannot be negative");
        }
        if (limit > QueueLimits.MAX_QUEUES_PAGE) {
            throw wrong("limit is invalid; cannot be greater than " + QueueLimits.MAX_QUEUES_PAGE);
        }
        noTilde("pivot", pivot);
        storable("pivot", pivot);
    }

    /** A text that becomes a payload: any characters, as long as they are whole. */
    public static void payload(String text) {
        whole("text", text);
    }

    /** A text that is stored beside the payload. */
    public static void text(String field, String text) {
        storable(field, text);
    }

    private static void noTilde(String field, String text) {
        if (text.contains("~")) {
            throw wrong(field + " is invalid; '" + text + "' cannot contain '~' character");
        }
    }

    private static void storable(String field, String text) {
        if (text.indexOf('\0') >= 0) {
            throw wrong(field + " is invalid; cannot contain the character U+0000");
        }
        whole(field, text);
    }

    private static void whole(String field, String text) {
        if (Texts.hasLoneSurrogate(text)) {
            throw wrong(field + " is invalid; cannot contain a lone surrogate, which is half of a character");
        }
    }

    private static boolean hasWhitespace(String text) {
        return text.codePoints().anyMatch(QueueRules::isWhitespace);
    }

    private static boolean isBlank(String text) {
        return text.codePoints().allMatch(QueueRules::isWhitespace);
    }

    /** Whether Unicode says so, and so Go; Java leaves out what does not break lines, and counts separators of files. */
    private static boolean isWhitespace(int c) {
        return (c >= '\t' && c <= '\r') || c == 0x85 || Character.isSpaceChar(c);
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static QueueException wrong(String message) {
        return QueueException.invalidArgument(message);
    }
}
