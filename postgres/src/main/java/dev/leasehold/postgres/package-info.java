/**
 * Leasehold on PostgreSQL. Start with {@link dev.leasehold.postgres.PostgresLocks}; the whole truth of every transition is in
 * the {@code .sql} file of its name.
 */
@NullMarked
package dev.leasehold.postgres;

import org.jspecify.annotations.NullMarked;
