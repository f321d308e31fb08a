package dev.leasehold.cli.server;

import dev.leasehold.cli.config.ConfigException;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.admin.QueueUpdate;
import java.util.Comparator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The queues of the configuration: created if they are missing, left alone if they are there. */
final class DeclaredQueues {
    private static final Logger LOG = LoggerFactory.getLogger(DeclaredQueues.class);

    private DeclaredQueues() {}

    /** Dead queues have none of their own, so they come first. */
    static void create(List<QueueConfig> declared, Queues queues) {
        declared.stream()
                .sorted(Comparator.comparing(QueueConfig::hasDeadQueue))
                .forEach(config -> create(config, queues));
    }

    private static void create(QueueConfig config, Queues queues) {
        try {
            queues.create(config);
            LOG.info("created queue={}", config.name());
        } catch (QueueException e) {
            if (e.code() != QueueErrorCode.ALREADY_EXISTS) {
                throw new ConfigException("could not create the queue '" + config.name() + "': " + e.getMessage());
            }
            warnIfDifferent(config, queues.info(config.name()).config());
        }
    }

    private static void warnIfDifferent(QueueConfig declared, QueueConfig found) {
        boolean isSame = QueueUpdate.to(declared.withOwnDeadQueue()).equals(QueueUpdate.to(found))
                && declared.namespace().equals(found.namespace());
        if (!isSame) {
            LOG.warn(
                    "queue={} is there already with other settings than the configuration's; it stays as it is",
                    declared.name());
        }
    }
}
