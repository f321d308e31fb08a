package dev.leasehold.postgres.internal;

import java.time.Duration;

/** How long a call may take, unless a builder says otherwise: five seconds. */
public final class CallTimeout {
    /** The property is for tests, which must not fail because a machine is busy. */
    public static final Duration DEFAULT = Duration.ofMillis(Long.getLong("leasehold.call-timeout-ms", 5_000));

    private CallTimeout() {}
}
