/** What carries statements to PostgreSQL, for locks and queues alike. Not API: may change at any time. */
@NullMarked
package dev.leasehold.postgres.internal;

import org.jspecify.annotations.NullMarked;
