package dev.leasehold.cli.command;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** Moments and durations as people say them: {@code 12 s ago}, {@code in 18 s}. */
public final class Ages {
    private static final long SECONDS_UP_TO = 120;
    private static final long MINUTES_UP_TO = TimeUnit.HOURS.toSeconds(2);
    private static final long HOURS_UP_TO = TimeUnit.DAYS.toSeconds(2);

    private Ages() {}

    /** How far a moment is from now, by the clock of this machine. */
    public static String of(Instant moment) {
        return of(moment, Instant.now());
    }

    static String of(Instant moment, Instant now) {
        return moment.isAfter(now)
                ? "in " + of(Duration.between(now, moment))
                : of(Duration.between(moment, now)) + " ago";
    }

    /** A duration in its largest unit, rounded. */
    public static String of(Duration duration) {
        long seconds = Math.round(duration.toMillis() / 1000.0);
        if (seconds < SECONDS_UP_TO) {
            return seconds + " s";
        }
        if (seconds < MINUTES_UP_TO) {
            return Math.round(seconds / 60.0) + " min";
        }
        return seconds < HOURS_UP_TO ? Math.round(seconds / 3600.0) + " h" : Math.round(seconds / 86_400.0) + " d";
    }
}
