/**
 * The state machine of a queue on a node: who waits, what is known of the partitions, and what to ask the stores next. It is pure: no
 * threads, futures, locks, clock or I/O.
 */
@NullMarked
package dev.leasehold.queue.internal.dispatch;

import org.jspecify.annotations.NullMarked;
