/** What an engine provides ({@link dev.leasehold.lock.spi.LockStore}) and what it gets for it. */
@NullMarked
package dev.leasehold.lock.spi;

import org.jspecify.annotations.NullMarked;
