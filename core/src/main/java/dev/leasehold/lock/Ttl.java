package dev.leasehold.lock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a time to live may be: a positive whole number of milliseconds, at most 365 days. */
public final class Ttl {
    /** The ttl of a lock when none is given. */
    public static final Duration DEFAULT = Duration.ofSeconds(30);

    /** The longest ttl. Work that takes longer renews. */
    public static final Duration MAX = Duration.ofDays(365);

    private static final String NOT_POSITIVE = "ttl must be a positive whole number of milliseconds";

    private Ttl() {}

    /** Returns {@code ttl} if it is one. */
    public static Duration check(@Nullable Duration ttl) {
        if (ttl == null || ttl.isNegative() || ttl.isZero()) {
            throw LockException.invalidArgument(NOT_POSITIVE);
        }
        if (ttl.compareTo(MAX) > 0) {
            throw LockException.invalidArgument("ttl must be at most 365 days, got " + ttl);
        }
        if (!ttl.equals(Duration.ofMillis(ttl.toMillis()))) {
            throw LockException.invalidArgument(NOT_POSITIVE);
        }
        return ttl;
    }
}
