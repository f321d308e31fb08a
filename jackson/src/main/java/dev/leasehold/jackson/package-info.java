/** Payloads of queues as JSON. */
@NullMarked
package dev.leasehold.jackson;

import org.jspecify.annotations.NullMarked;
