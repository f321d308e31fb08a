/** Items leased by hand: a queue without payload types and without a consumer. */
@NullMarked
package dev.leasehold.queue.item;

import org.jspecify.annotations.NullMarked;
