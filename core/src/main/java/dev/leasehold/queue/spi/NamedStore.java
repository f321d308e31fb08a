package dev.leasehold.queue.spi;

/**
 * A store by its name.
 *
 * @param name written into the record of every queue that has partitions there; never give it to another store
 * @param affinity its share of the partitions of new queues, compared to the others; zero for none
 */
public record NamedStore(String name, int affinity, ItemStore items) {
    public NamedStore {
        if (name.isBlank() || affinity < 0) {
            throw new IllegalArgumentException(
                    "a store needs a name and an affinity of at least 0, got '" + name + "' and " + affinity);
        }
    }
}
