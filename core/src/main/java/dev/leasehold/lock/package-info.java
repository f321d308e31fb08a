/**
 * Locks: a lock is a lease on a key. It is exclusive, ends by itself, and carries a fence that a stale holder cannot fake.
 *
 * <p>Start with {@link dev.leasehold.lock.Locks}. Engines implement {@code dev.leasehold.lock.spi}.
 */
@NullMarked
package dev.leasehold.lock;

import org.jspecify.annotations.NullMarked;
