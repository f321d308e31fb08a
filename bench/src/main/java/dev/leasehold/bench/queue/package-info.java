/** The scenarios of queues, and the systems that run in them. */
@NullMarked
package dev.leasehold.bench.queue;

import org.jspecify.annotations.NullMarked;
