package dev.leasehold.lock.spi;

import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.LockEvents;
import dev.leasehold.lock.internal.Renewals;
import dev.leasehold.lock.internal.WaitLines;
import dev.leasehold.spi.Timer;

/** What a {@link Lease} works with: the store it came from, what keeps it alive, and who waits for it. */
public record LeaseRuntime(
        LockStore store, LockOptions options, LockEvents events, Renewals renewals, WaitLines lines, Timer timer) {}
