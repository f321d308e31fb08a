/** The verbs of locks, typed in a shell. Start with {@link dev.leasehold.cli.lock.LockCommand}. */
@NullMarked
package dev.leasehold.cli.lock;

import org.jspecify.annotations.NullMarked;
