package dev.leasehold.postgres.internal;

/** What went wrong at PostgreSQL or on the way to it. The error codes of locks and of queues have constants of these names. */
public enum ErrorCategory {
    SERVICE_UNAVAILABLE,
    AUTH_FAILED,
    INVALID_ARGUMENT,
    RATE_LIMITED,
    NETWORK_TIMEOUT,
    INTERNAL
}
