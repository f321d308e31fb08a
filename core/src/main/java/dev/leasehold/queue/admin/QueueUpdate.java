package dev.leasehold.queue.admin;

import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueRules;
import java.time.Duration;

/**
 * What to change of a queue. The namespace never changes.
 *
 * @param name which queue
 * @param leaseTimeout for new leases; zero keeps what is
 * @param expireTimeout for new items; zero keeps what is
 * @param maxAttempts always set
 * @param deadQueue always set; empty for none
 * @param reference always set
 * @param partitions zero keeps what is; fewer than before: the others are still leased from, but nothing new goes into them
 */
public record QueueUpdate(
        String name,
        Duration leaseTimeout,
        Duration expireTimeout,
        int maxAttempts,
        String deadQueue,
        String reference,
        int partitions) {
    public QueueUpdate {
        QueueRules.name(name);
        QueueRules.deadQueue(name, deadQueue);
        QueueRules.reference(reference);
        QueueRules.maxAttempts(maxAttempts);
        if (partitions != 0) {
            QueueRules.partitions(partitions);
        }
    }

    /** An update that sets everything as {@code config} says. */
    public static QueueUpdate to(QueueConfig config) {
        return new QueueUpdate(
                config.name(),
                config.leaseTimeout(),
                config.expireTimeout(),
                config.maxAttempts(),
                config.deadQueue(),
                config.reference(),
                config.partitions());
    }

    /** The settings of the queue after the update. */
    public QueueConfig applyTo(QueueConfig current) {
        return new QueueConfig(
                current.name(),
                current.namespace(),
                leaseTimeout.isZero() ? current.leaseTimeout() : leaseTimeout,
                expireTimeout.isZero() ? current.expireTimeout() : expireTimeout,
                maxAttempts,
                deadQueue,
                reference,
                partitions == 0 ? current.partitions() : partitions);
    }
}
