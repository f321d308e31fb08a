package dev.leasehold.bench;

import java.time.Duration;

/**
 * What a contender needs to set itself up.
 *
 * @param database the PostgreSQL of this run
 * @param duration how long one measured run lasts
 */
public record Bench(Database database, Duration duration) {
    /** What every peer gets. */
    public static final int CONNECTIONS = 8;

    private static final double FULL_SECONDS = 15;
    private static final Duration SHORT = Duration.ofSeconds(1);

    /** An amount of a full run, less if this one is shorter: {@code scaled(100_000)} items to drain. */
    public int scaled(int amount) {
        double part = Math.min(1, duration.toMillis() / 1000.0 / FULL_SECONDS);
        return (int) Math.max(1, Math.round(amount * part));
    }

    /** Whether this run only shows that everything runs. */
    public boolean isShort() {
        return duration.compareTo(SHORT) < 0;
    }
}
