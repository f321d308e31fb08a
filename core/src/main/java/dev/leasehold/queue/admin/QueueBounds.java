package dev.leasehold.queue.admin;

import dev.leasehold.queue.QueueException;
import java.util.Collection;
import java.util.function.ToLongFunction;

/**
 * How much one call may store or return. Immutable; start from {@link #DEFAULT}.
 *
 * @param partitions the most partitions of a queue: 1,000 by default, at most 32,000. Each that is used is a table
 * @param requestBytes the most bytes of items in one produce or import: 64 MB by default. More is refused
 * @param answerBytes the most bytes of items in one leased batch or one page: 16 MB by default. It ends with the item that reaches
 *     them, so one item is always returned, and a page never has only its pivot
 */
public record QueueBounds(int partitions, long requestBytes, long answerBytes) {
    public static final QueueBounds DEFAULT = new QueueBounds(1_000, 64_000_000, 16_000_000);

    /** The least and the most that both byte limits can be set to. */
    public static final long MIN_BYTES = 1_000;

    public static final long MAX_BYTES = 512_000_000;

    public QueueBounds {
        within("partitions", partitions, 1, QueueLimits.MAX_PARTITIONS);
        within("requestBytes", requestBytes, MIN_BYTES, MAX_BYTES);
        within("answerBytes", answerBytes, MIN_BYTES, MAX_BYTES);
    }

    private static void within(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw QueueException.invalidArgument(
                    name + " must be between " + least + " and " + most + ", got " + value);
        }
    }

    /** The most partitions of a queue. */
    public QueueBounds partitions(int partitions) {
        return new QueueBounds(partitions, requestBytes, answerBytes);
    }

    /** The most bytes of items in one produce or import. */
    public QueueBounds requestBytes(long requestBytes) {
        return new QueueBounds(partitions, requestBytes, answerBytes);
    }

    /** The most bytes of items in one leased batch or one page. */
    public QueueBounds answerBytes(long answerBytes) {
        return new QueueBounds(partitions, requestBytes, answerBytes);
    }

    /** Refuses more partitions than a queue may have. */
    public void checkPartitions(int count) {
        if (count > partitions) {
            throw QueueException.invalidArgument("partitions is invalid; cannot be greater than " + partitions);
        }
    }

    /** Refuses items that are too large for one call. */
    public <T> void checkRequest(Collection<T> items, ToLongFunction<T> weight) {
        long bytes = items.stream().mapToLong(weight).sum();
        if (bytes > requestBytes) {
            throw QueueException.invalidArgument(
                    "items is invalid; max_request_bytes is " + requestBytes + " but received " + bytes);
        }
    }

    /** About how many bytes an item takes: its payload, its texts, and a hundred for the rest. */
    public static long weight(byte[] payload, String... texts) {
        long sum = QueueLimits.ITEM_WEIGHT;
        sum += payload.length;
        for (String text : texts) {
            sum += text.length();
        }
        return sum;
    }
}
