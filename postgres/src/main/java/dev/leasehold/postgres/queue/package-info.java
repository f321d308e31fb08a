/** Queues on PostgreSQL. Start with {@link dev.leasehold.postgres.queue.PostgresQueues}. */
@NullMarked
package dev.leasehold.postgres.queue;

import org.jspecify.annotations.NullMarked;
