package dev.leasehold.cli.command;

import dev.leasehold.spi.GoDuration;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as they are typed: 30s, 1m30s, 250ms. */
public final class DurationConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
        try {
            return GoDuration.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage() + "; expected one such as 30s, 1m30s or 250ms");
        }
    }
}
