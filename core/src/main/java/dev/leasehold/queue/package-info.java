/** Queues: create one, produce items into it, lease them, complete or retry them. Start with {@link dev.leasehold.queue.Queues}. */
@NullMarked
package dev.leasehold.queue;

import org.jspecify.annotations.NullMarked;
