package dev.leasehold.queue;

import java.time.Duration;

/**
 * What a queue is told when it is created. Immutable; start from {@link #named}.
 *
 * @param name up to 512 bytes, without whitespace and '~'
 * @param namespace the boundary between tenants; names of queues are unique across all of them
 * @param leaseTimeout how long a consumer has an item
 * @param expireTimeout how long an item may stay, counted from when it was produced
 * @param maxAttempts how many leases an item gets; zero means any number
 * @param deadQueue where items go that ran out of attempts or time; empty: away
 * @param reference free text
 * @param partitions into how many partitions to produce
 */
public record QueueConfig(
        String name,
        String namespace,
        Duration leaseTimeout,
        Duration expireTimeout,
        int maxAttempts,
        String deadQueue,
        String reference,
        int partitions) {
    public static final String SYSTEM_NAMESPACE = "_system";

    public QueueConfig {
        QueueRules.name(name);
        namespace = namespace.isEmpty() ? SYSTEM_NAMESPACE : namespace;
        QueueRules.namespace(namespace);
        QueueRules.deadQueue(name, deadQueue);
        QueueRules.settings(reference, maxAttempts, partitions, leaseTimeout, expireTimeout);
    }

    /** A queue with defaults: leases of a minute, items for a day, any number of attempts, one partition. */
    public static QueueConfig named(String name) {
        return new QueueConfig(name, SYSTEM_NAMESPACE, Duration.ofMinutes(1), Duration.ofDays(1), 0, "", "", 1);
    }

    public QueueConfig namespace(String namespace) {
        return new QueueConfig(
                name, namespace, leaseTimeout, expireTimeout, maxAttempts, deadQueue, reference, partitions);
    }

    public QueueConfig leaseTimeout(Duration leaseTimeout) {
        return new QueueConfig(
                name, namespace, leaseTimeout, expireTimeout, maxAttempts, deadQueue, reference, partitions);
    }

    public QueueConfig expireTimeout(Duration expireTimeout) {
        return new QueueConfig(
                name, namespace, leaseTimeout, expireTimeout, maxAttempts, deadQueue, reference, partitions);
    }

    public QueueConfig maxAttempts(int maxAttempts) {
        return new QueueConfig(
                name, namespace, leaseTimeout, expireTimeout, maxAttempts, deadQueue, reference, partitions);
    }

    public QueueConfig deadQueue(String deadQueue) {
        return new QueueConfig(
                name, namespace, leaseTimeout, expireTimeout, maxAttempts, deadQueue, reference, partitions);
    }

    public QueueConfig reference(String reference) {
        return new QueueConfig(
                name, namespace, leaseTimeout, expireTimeout, maxAttempts, deadQueue, reference, partitions);
    }

    public QueueConfig partitions(int partitions) {
        return new QueueConfig(
                name, namespace, leaseTimeout, expireTimeout, maxAttempts, deadQueue, reference, partitions);
    }

    public boolean hasDeadQueue() {
        return !deadQueue.isEmpty();
    }
}
