/** Micrometer meters for locks and queues: {@link dev.leasehold.micrometer.LeaseholdMetrics}. */
@NullMarked
package dev.leasehold.micrometer;

import org.jspecify.annotations.NullMarked;
