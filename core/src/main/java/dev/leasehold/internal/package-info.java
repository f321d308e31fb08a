/** Threads and time, for locks and queues alike. Not API: may change at any time. */
@NullMarked
package dev.leasehold.internal;

import org.jspecify.annotations.NullMarked;
