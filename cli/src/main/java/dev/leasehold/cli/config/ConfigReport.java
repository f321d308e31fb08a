package dev.leasehold.cli.config;

import java.util.List;
import java.util.function.ToIntFunction;

/** The effective configuration for people: one line per value, with its source and without secrets. */
public final class ConfigReport {
    /** The widest that the column of values gets: one long URL does not push all sources out of sight. */
    private static final int WIDEST = 40;

    private ConfigReport() {}

    private record Line(String key, String value, String source) {}

    public static List<String> lines(Config config) {
        List<Line> lines = config.settings().all().stream()
                .map(value -> new Line(value.key(), shown(value), value.source()))
                .toList();
        int keys = widest(lines, line -> line.key().length());
        int values = widest(
                lines, line -> line.value().length() > WIDEST ? 0 : line.value().length());
        return lines.stream()
                .map(line -> padded(line.key(), keys) + "  " + padded(line.value(), values) + "  # " + line.source())
                .toList();
    }

    private static int widest(List<Line> lines, ToIntFunction<Line> width) {
        return lines.stream().mapToInt(width).max().orElse(0);
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    private static String shown(ConfigValue value) {
        if (value.key().endsWith("postgres-url") || value.key().endsWith("connection-string")) {
            return PostgresUrl.parse(value).display();
        }
        return KnownSettings.isSecret(value.key()) ? "***" : value.text();
    }
}
