package dev.leasehold.queue.internal;

import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.spi.NamedStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which store each partition of a queue lies in: every store gets its share by affinity, the largest remainders get what is left,
 * and no partition is lost to rounding.
 */
final class Placement {
    private Placement() {}

    /** The stores of {@code count} partitions, in the order of the stores. */
    static List<String> of(List<NamedStore> stores, int count) {
        long sum = stores.stream().mapToLong(NamedStore::affinity).sum();
        if (sum == 0) {
            throw QueueException.invalidArgument("no store has an affinity above 0, so no partition can be placed");
        }
        long[] shares = new long[stores.size()];
        List<Integer> byRemainder = new ArrayList<>();
        long left = count;
        for (int i = 0; i < shares.length; i++) {
            shares[i] = (long) stores.get(i).affinity() * count / sum;
            left -= shares[i];
            byRemainder.add(i);
        }
        byRemainder.sort(
                Comparator.comparingLong((Integer i) -> -((long) stores.get(i).affinity() * count % sum)));
        for (int i = 0; i < left; i++) {
            shares[byRemainder.get(i)]++;
        }
        List<String> placed = new ArrayList<>(count);
        for (int i = 0; i < shares.length; i++) {
            for (long n = 0; n < shares[i]; n++) {
                placed.add(stores.get(i).name());
            }
        }
        return placed;
    }

    /** {@code placed} and as many more as it takes to have {@code count}. */
    static List<String> grown(List<NamedStore> stores, List<String> placed, int count) {
        List<String> all = new ArrayList<>(placed);
        if (count > placed.size()) {
            all.addAll(of(stores, count - placed.size()));
        }
        return all;
    }
}
