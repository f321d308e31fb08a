/** The commands for queues. Start with {@link dev.leasehold.cli.queue.QueueCommand}. */
@NullMarked
package dev.leasehold.cli.queue;

import org.jspecify.annotations.NullMarked;
