package dev.leasehold.queue;

import java.time.Instant;

/** A queue as it is: what it was told, and when. */
public record QueueInfo(QueueConfig config, Instant createdAt, Instant updatedAt) {
    public String name() {
        return config.name();
    }
}
