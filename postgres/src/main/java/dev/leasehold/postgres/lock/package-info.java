/**
 * Leasehold on PostgreSQL. Start with {@link dev.leasehold.postgres.lock.PostgresLocks}; the whole truth of every transition is in
 * the {@code .sql} file of its name.
 */
@NullMarked
package dev.leasehold.postgres.lock;

import org.jspecify.annotations.NullMarked;
