/** Leasehold in your PostgreSQL. Begin with {@link dev.leasehold.postgres.PostgresLeasehold}. */
@NullMarked
package dev.leasehold.postgres;

import org.jspecify.annotations.NullMarked;
