package dev.leasehold.queue.spi;

/** A partition, as known to the caller who names it. */
public record PartitionRef(QueueRecord queue, int number) {
    /** The name of the store where it lies. */
    public String store() {
        return queue.stores().get(number);
    }
}
