/** What engines make locks with: {@link dev.leasehold.lock.engine.RenewingLocks} over their store. */
@NullMarked
package dev.leasehold.lock.engine;

import org.jspecify.annotations.NullMarked;
