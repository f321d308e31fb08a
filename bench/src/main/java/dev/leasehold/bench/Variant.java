package dev.leasehold.bench;

/**
 * One way to run a scenario.
 *
 * @param label what a reader sees, such as {@code 64 threads}
 * @param concurrency how many work at once
 * @param size what else the scenario varies, such as the batch or the number of partitions or JVMs; 1 if nothing
 */
public record Variant(String label, int concurrency, int size) {
    public Variant {
        if (concurrency < 1 || size < 1) {
            throw new IllegalArgumentException(
                    "concurrency and size must be at least 1, got " + concurrency + " and " + size);
        }
    }

    /** So many threads and nothing else. */
    public static Variant threads(int threads) {
        return new Variant(threads == 1 ? "1 thread" : threads + " threads", threads, 1);
    }
}
