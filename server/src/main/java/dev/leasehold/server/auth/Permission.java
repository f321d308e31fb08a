package dev.leasehold.server.auth;

import java.util.Locale;

/** What a grant may allow in a namespace. */
public enum Permission {
    LOCKS_READ,
    LOCKS_WRITE,
    LOCKS_ADMIN,
    QUEUES_PRODUCE,
    QUEUES_CONSUME,
    QUEUES_ADMIN;

    /** As configuration spells it, for example {@code locks.write}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '.');
    }
}
