/** How items are dealt, waited for and swept. Not API: may change at any time. */
@NullMarked
package dev.leasehold.queue.internal;

import org.jspecify.annotations.NullMarked;
