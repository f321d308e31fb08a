/** Threads, time and the ends of futures: what engines of locks and of queues share. */
@NullMarked
package dev.leasehold.spi;

import org.jspecify.annotations.NullMarked;
