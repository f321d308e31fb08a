package dev.leasehold.lock.spi;

import dev.leasehold.internal.Timer;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.LockEvents;
import dev.leasehold.lock.internal.Renewals;

/** What a {@link Lease} works with: the store it came from and what keeps it alive. */
public record LeaseRuntime(LockStore store, LockOptions options, LockEvents events, Renewals renewals, Timer timer) {}
