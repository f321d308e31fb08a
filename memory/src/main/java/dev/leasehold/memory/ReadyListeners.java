package dev.leasehold.memory;

import dev.leasehold.queue.spi.ItemStore.ReadyListener;
import dev.leasehold.queue.spi.PartitionRef;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners of all nodes. They are called in the publisher's thread, which holds no monitor of ours. */
final class ReadyListeners {
    private static final Logger log = LoggerFactory.getLogger(ReadyListeners.class);

    private final List<ReadyListener> all = new CopyOnWriteArrayList<>();

    void add(ReadyListener listener) {
        all.add(listener);
    }

    void removeAll(Collection<ReadyListener> some) {
        all.removeAll(some);
    }

    void publish(List<PartitionRef> partitions) {
        partitions.forEach(partition -> all.forEach(listener -> publish(listener, partition)));
    }

    private static void publish(ReadyListener listener, PartitionRef partition) {
        try {
            listener.onReady(partition.queue().uid(), partition.number());
        } catch (RuntimeException e) {
            log.debug(
                    "event=ready_failed queue={} partition={}",
                    partition.queue().name(),
                    partition.number(),
                    e);
        }
    }
}
