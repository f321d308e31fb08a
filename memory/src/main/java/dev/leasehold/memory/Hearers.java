package dev.leasehold.memory;

import dev.leasehold.queue.spi.ItemStore.Hears;
import dev.leasehold.queue.spi.PartitionRef;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who hears that something became ready. They are told in the teller's thread, which holds no monitor of ours. */
final class Hearers {
    private static final Logger log = LoggerFactory.getLogger(Hearers.class);

    private final List<Hears> all = new CopyOnWriteArrayList<>();

    void add(Hears hears) {
        all.add(hears);
    }

    void removeAll(Collection<Hears> some) {
        all.removeAll(some);
    }

    void tell(List<PartitionRef> partitions) {
        partitions.forEach(partition -> all.forEach(hears -> tell(hears, partition)));
    }

    private static void tell(Hears hears, PartitionRef partition) {
        try {
            hears.ready(partition.queue().uid(), partition.number());
        } catch (RuntimeException e) {
            log.debug(
                    "event=ready_failed queue={} partition={}",
                    partition.queue().name(),
                    partition.number(),
                    e);
        }
    }
}
