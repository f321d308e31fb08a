/** Consumers: a handler that is called with leased items, on any queue. */
@NullMarked
package dev.leasehold.queue.internal.consume;

import org.jspecify.annotations.NullMarked;
