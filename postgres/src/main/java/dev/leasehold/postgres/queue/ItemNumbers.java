package dev.leasehold.postgres.queue;

import dev.leasehold.queue.internal.Ksuid.Place;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.spi.PartitionRef;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Items by their numbers, each with how often it was given back. Ids of other queues are left out, and of two ids of one item the
 * older: only the one that was given out last can be alive.
 */
record ItemNumbers(SortedMap<Long, Integer> givenBack) {
    static ItemNumbers of(PartitionRef partition, List<ItemId> ids) {
        SortedMap<Long, Integer> found = new TreeMap<>();
        for (ItemId id : ids) {
            Place place = QueueRows.place(partition, id);
            if (place.number() >= 0) {
                found.merge(place.number(), place.givenBack(), ItemNumbers::later);
            }
        }
        return new ItemNumbers(found);
    }

    /** The later of two counts that begin anew after 65,535. */
    private static int later(int one, int other) {
        return (short) (one - other) > 0 ? one : other;
    }

    /** The first of them; greater than any if there is none. */
    long lowest() {
        return givenBack.isEmpty() ? Long.MAX_VALUE : givenBack.firstKey();
    }

    /** The parameters of statements: two arrays in ascending order of the numbers. */
    Map<String, @Nullable Object> values() {
        return Map.of(
                "ids", givenBack.keySet().stream().mapToLong(Long::longValue).toArray(),
                "backs",
                        givenBack.values().stream()
                                .mapToLong(Integer::longValue)
                                .toArray());
    }
}
