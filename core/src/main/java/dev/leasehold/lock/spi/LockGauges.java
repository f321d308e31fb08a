package dev.leasehold.lock.spi;

/** Numbers of a {@link dev.leasehold.lock.Locks} that change from moment to moment, for metrics. */
public interface LockGauges {
    /** How many locks the handles of this JVM hold now. */
    int held();

    /** How many calls of this JVM wait in line now. */
    int waiting();
}
