package dev.leasehold.queue;

import java.time.Instant;

/** A queue as it is: its settings, and when it was created and changed. */
public record QueueInfo(QueueConfig config, Instant createdAt, Instant updatedAt) {
    /** The name of the queue. */
    public String name() {
        return config.name();
    }
}
