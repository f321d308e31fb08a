package dev.leasehold.server.auth;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A permission in a namespace. */
public enum Permission {
    LOCKS_READ,
    LOCKS_WRITE,
    LOCKS_ADMIN,
    QUEUES_PRODUCE,
    QUEUES_CONSUME,
    QUEUES_ADMIN,
    METRICS_READ;

    /** Its name in the configuration, for example {@code locks.write}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '.');
    }

    /** The permission of this name in the configuration. */
    public static Permission of(String text) {
        return Arrays.stream(values())
                .filter(permission -> permission.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no permission '" + text + "'; there are "
                        + Arrays.stream(values()).map(Permission::text).collect(Collectors.joining(", "))));
    }
}
