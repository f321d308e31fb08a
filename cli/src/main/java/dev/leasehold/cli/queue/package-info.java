/** The verbs of queues, typed in a shell. Start with {@link dev.leasehold.cli.queue.QueueCommand}. */
@NullMarked
package dev.leasehold.cli.queue;

import org.jspecify.annotations.NullMarked;
