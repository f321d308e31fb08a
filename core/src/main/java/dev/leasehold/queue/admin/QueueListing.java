package dev.leasehold.queue.admin;

import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueRules;

/**
 * Which queues to list, in the byte order of their names.
 *
 * @param namespace whose; empty means {@code _system}
 * @param pivot where the page begins, inclusive; if there is no such queue, the next one after it. Empty: at the first
 * @param limit how many at most; zero means 1,000
 */
public record QueueListing(String namespace, String pivot, int limit) {
    /** The first queues of the default namespace. */
    public static final QueueListing DEFAULT = new QueueListing("", "", 0);

    public QueueListing {
        QueueRules.listing(pivot, limit);
        QueueRules.text("namespace name", namespace);
        namespace = namespace.isEmpty() ? QueueConfig.SYSTEM_NAMESPACE : namespace;
        limit = limit == 0 ? QueueLimits.DEFAULT_PAGE : limit;
    }
}
