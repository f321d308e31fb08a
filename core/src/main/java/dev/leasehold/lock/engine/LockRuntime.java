package dev.leasehold.lock.engine;

import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.LockEvents;
import dev.leasehold.lock.internal.Renewals;
import dev.leasehold.lock.internal.WaitLines;
import dev.leasehold.lock.spi.LockStore;
import dev.leasehold.spi.Timer;

/** The parts that the handles of one {@link RenewingLocks} share. */
public record LockRuntime(
        LockStore store, LockOptions options, LockEvents events, Renewals renewals, WaitLines lines, Timer timer) {}
