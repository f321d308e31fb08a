/** Locks and queues over HTTP, with the HTTP client of the JDK. */
@NullMarked
package dev.leasehold.client;

import org.jspecify.annotations.NullMarked;
