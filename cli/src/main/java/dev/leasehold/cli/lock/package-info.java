/** The commands for locks. Start with {@link dev.leasehold.cli.lock.LockCommand}. */
@NullMarked
package dev.leasehold.cli.lock;

import org.jspecify.annotations.NullMarked;
