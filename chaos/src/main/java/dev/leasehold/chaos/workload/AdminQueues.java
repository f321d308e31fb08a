package dev.leasehold.chaos.workload;

import dev.leasehold.queue.QueueConfig;
import java.time.Duration;
import java.util.Random;

/**
 * The queues that are created, changed and deleted while others use them. All clients know the same few names, and go on to new ones
 * every some seconds: what nobody knows of a call that failed is then no longer in the way of those who check.
 */
final class AdminQueues {
    private static final long EPOCH_NANOS = Duration.ofSeconds(20).toNanos();
    private static final int DEAD = 2;
    private static final int OTHERS = 2;

    private final String prefix;

    AdminQueues(String prefix) {
        this.prefix = prefix;
    }

    /** What the names of all of them begin with. */
    static String names(String prefix) {
        return prefix + "admin-";
    }

    /** The names of present, sometimes those before: who is late there meets nobody who creates them again. */
    private String epoch(Random random) {
        long epoch = System.nanoTime() / EPOCH_NANOS - (random.nextInt(8) == 0 ? 1 : 0);
        return names(prefix) + epoch + "-";
    }

    /** One that is changed, but neither cleared nor deleted, and whose items have any number of attempts: it loses nothing. */
    String kept(Random random) {
        return epoch(random) + "kept";
    }

    /** One that may be gone at any time. */
    String fleeting(Random random) {
        return epoch(random) + random.nextInt(OTHERS);
    }

    /** One that takes the dead letters of others, for as long as it is there. */
    String dead(Random random) {
        return epoch(random) + "dead" + random.nextInt(DEAD);
    }

    String any(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> dead(random);
            case 1 -> fleeting(random);
            default -> kept(random);
        };
    }

    boolean isKept(String name) {
        return name.endsWith("-kept");
    }

    /** How such a queue may be set up: with one of the dead queues, or none. */
    QueueConfig config(String name, Random random) {
        QueueConfig config = QueueConfig.named(name)
                .leaseTimeout(PipelineQueues.LEASE.plusMillis(random.nextInt(1000)))
                .partitions(1 + random.nextInt(3))
                .maxAttempts(isKept(name) || random.nextBoolean() ? 0 : 2 + random.nextInt(3));
        return random.nextInt(3) == 0 ? config.discardDead() : config.deadQueue(dead(random));
    }

    /** How a dead queue is set up. */
    QueueConfig deadConfig(String name) {
        return QueueConfig.named(name).leaseTimeout(PipelineQueues.LEASE);
    }
}
