package dev.leasehold.queue.spi;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * How much an answer may hold: so many items, and no further one from where they weigh {@code bytes} or more.
 *
 * @param items how many at most
 * @param bytes the weight with which it ends; the item that reaches it is the last
 */
public record Portion(int items, long bytes) {
    /** So many items, whatever they weigh. */
    public static Portion of(int items) {
        return new Portion(items, Long.MAX_VALUE);
    }

    /**
     * Takes the first that it has room for.
     *
     * @param least how many to take in any case
     */
    public <T> List<T> cut(Iterator<T> all, ToLongFunction<? super T> weight, int least) {
        List<T> taken = new ArrayList<>();
        long sum = 0;
        while (all.hasNext() && taken.size() < items && (sum < bytes || taken.size() < least)) {
            T next = all.next();
            sum += weight.applyAsLong(next);
            taken.add(next);
        }
        return taken;
    }
}
