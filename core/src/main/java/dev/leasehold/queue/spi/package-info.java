/** What an engine of queues implements. */
@NullMarked
package dev.leasehold.queue.spi;

import org.jspecify.annotations.NullMarked;
