/** Single calls for locks: without blocking, by lock id, or by holder, and without a handle that renews. */
@NullMarked
package dev.leasehold.lock.direct;

import org.jspecify.annotations.NullMarked;
