package dev.leasehold.cli.config;

import java.util.List;
import java.util.Locale;

/** The effective configuration for people: one line per value, with its source and without secrets. */
public final class ConfigReport {
    private ConfigReport() {}

    public static List<String> lines(Config config) {
        return config.settings().all().stream()
                .map(value -> String.format(Locale.ROOT, "%-36s %-28s # %s", value.key(), shown(value), value.source()))
                .toList();
    }

    private static String shown(Value value) {
        if (value.key().endsWith("postgres-url") || value.key().endsWith("connection-string")) {
            return PostgresUrl.parse(value).display();
        }
        return KnownSettings.isSecret(value.key()) ? "***" : value.text();
    }
}
