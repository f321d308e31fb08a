package dev.leasehold.cli.queue;

import dev.leasehold.cli.command.DurationConverter;
import dev.leasehold.queue.QueueConfig;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;

/** How long an item may stay: a duration, or never. */
final class ExpiryConverter implements ITypeConverter<Duration> {
    static final String NEVER = "never";

    private final DurationConverter durations = new DurationConverter();

    @Override
    public Duration convert(String text) {
        return NEVER.equals(text) ? QueueConfig.NEVER : durations.convert(text);
    }
}
