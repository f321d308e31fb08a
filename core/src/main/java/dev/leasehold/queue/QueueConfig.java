package dev.leasehold.queue;

import java.time.Duration;

/**
 * The settings of a queue. Immutable; start from {@link #named}.
 *
 * <p>Nothing is lost by default: items never expire, and a queue with {@code maxAttempts} that names no dead queue gets one of its
 * own, {@code <name>-dead}, unless {@link #discardDead()} says otherwise.
 *
 * @param name up to 512 bytes, without whitespace and '~'
 * @param namespace the boundary between tenants; names of queues are unique across all of them
 * @param leaseTimeout how long a consumer has an item
 * @param expireTimeout how long an item may stay, counted from when it was produced; {@link #NEVER}, or anything longer, for ever
 * @param maxAttempts how many leases an item gets; zero means any number
 * @param deadQueue where items go that ran out of attempts or time; empty: none is named
 * @param reference free text
 * @param partitions into how many partitions to produce
 * @param isDiscarding whether items that ran out of attempts are deleted; says what {@code create} does, and is not stored
 */
public record QueueConfig(
        String name,
        String namespace,
        Duration leaseTimeout,
        Duration expireTimeout,
        int maxAttempts,
        String deadQueue,
        String reference,
        int partitions,
        boolean isDiscarding) {
    public static final String SYSTEM_NAMESPACE = "_system";

    /** The expire timeout of items that never expire: 2562047h, the longest that the table and Querator's clients can hold. */
    public static final Duration NEVER = Duration.ofHours(2_562_047);

    private static final String DEAD_SUFFIX = "-dead";

    public QueueConfig {
        QueueRules.name(name);
        expireTimeout = expireTimeout.compareTo(NEVER) > 0 ? NEVER : expireTimeout;
        namespace = namespace.isEmpty() ? SYSTEM_NAMESPACE : namespace;
        QueueRules.namespace(namespace);
        QueueRules.deadQueue(name, deadQueue);
        QueueRules.settings(reference, maxAttempts, partitions, leaseTimeout, expireTimeout);
        if (isDiscarding && !deadQueue.isEmpty()) {
            throw QueueException.invalidArgument(
                    "dead queue is invalid; discardDead and the dead queue '" + deadQueue + "' contradict each other");
        }
    }

    /** A queue as it is stored. */
    public QueueConfig(
            String name,
            String namespace,
            Duration leaseTimeout,
            Duration expireTimeout,
            int maxAttempts,
            String deadQueue,
            String reference,
            int partitions) {
        this(name, namespace, leaseTimeout, expireTimeout, maxAttempts, deadQueue, reference, partitions, false);
    }

    /** A queue with defaults: leases of a minute, items that never expire, any number of attempts, one partition. */
    public static QueueConfig named(String name) {
        return new QueueConfig(name, SYSTEM_NAMESPACE, Duration.ofMinutes(1), NEVER, 0, "", "", 1);
    }

    /** The boundary between tenants that the queue belongs to; cannot be changed later. */
    public QueueConfig namespace(String namespace) {
        return new QueueConfig(
                name,
                namespace,
                leaseTimeout,
                expireTimeout,
                maxAttempts,
                deadQueue,
                reference,
                partitions,
                isDiscarding);
    }

    /** How long a lease lasts unless it is extended (visibility timeout); a minute by default. */
    public QueueConfig leaseTimeout(Duration leaseTimeout) {
        return new QueueConfig(
                name,
                namespace,
                leaseTimeout,
                expireTimeout,
                maxAttempts,
                deadQueue,
                reference,
                partitions,
                isDiscarding);
    }

    /** How long an item may stay, counted from its produce; {@link #NEVER} by default. */
    public QueueConfig expireTimeout(Duration expireTimeout) {
        return new QueueConfig(
                name,
                namespace,
                leaseTimeout,
                expireTimeout,
                maxAttempts,
                deadQueue,
                reference,
                partitions,
                isDiscarding);
    }

    /** How many leases an item gets before it is dead-lettered; zero, the default: any number. */
    public QueueConfig maxAttempts(int maxAttempts) {
        return new QueueConfig(
                name,
                namespace,
                leaseTimeout,
                expireTimeout,
                maxAttempts,
                deadQueue,
                reference,
                partitions,
                isDiscarding);
    }

    /** Where items go that ran out of attempts or time (dead-letter queue). */
    public QueueConfig deadQueue(String deadQueue) {
        return new QueueConfig(
                name,
                namespace,
                leaseTimeout,
                expireTimeout,
                maxAttempts,
                deadQueue,
                reference,
                partitions,
                isDiscarding);
    }

    /** Free text about the queue. */
    public QueueConfig reference(String reference) {
        return new QueueConfig(
                name,
                namespace,
                leaseTimeout,
                expireTimeout,
                maxAttempts,
                deadQueue,
                reference,
                partitions,
                isDiscarding);
    }

    /** Into how many partitions to produce; 1 by default. Order is kept per partition. */
    public QueueConfig partitions(int partitions) {
        return new QueueConfig(
                name,
                namespace,
                leaseTimeout,
                expireTimeout,
                maxAttempts,
                deadQueue,
                reference,
                partitions,
                isDiscarding);
    }

    /** Items that ran out of attempts are deleted: no dead queue is created. Every item that goes is counted and logged. */
    public QueueConfig discardDead() {
        return new QueueConfig(
                name, namespace, leaseTimeout, expireTimeout, maxAttempts, deadQueue, reference, partitions, true);
    }

    /** Whether a dead queue is named. */
    public boolean hasDeadQueue() {
        return !deadQueue.isEmpty();
    }

    /** Whether items expire at all. */
    public boolean expires() {
        return expireTimeout.compareTo(NEVER) < 0;
    }

    /** Whether {@code create} gives it a dead queue of its own. */
    public boolean needsDeadQueue() {
        return maxAttempts > 0 && !hasDeadQueue() && !isDiscarding;
    }

    /** The dead queue of its own: its items never expire, and it has no dead queue. */
    public QueueConfig ownDeadQueue() {
        QueueRules.ownDeadQueue(name + DEAD_SUFFIX);
        return named(name + DEAD_SUFFIX).namespace(namespace);
    }

    /** The same as it is stored. */
    public QueueConfig stored() {
        return new QueueConfig(
                name, namespace, leaseTimeout, expireTimeout, maxAttempts, deadQueue, reference, partitions);
    }

    /** The same with the dead queue that {@code create} gives it. */
    public QueueConfig withOwnDeadQueue() {
        return needsDeadQueue() ? deadQueue(ownDeadQueue().name()) : this;
    }
}
