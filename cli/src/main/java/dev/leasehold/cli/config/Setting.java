package dev.leasehold.cli.config;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A setting that there is.
 *
 * @param key its name; {@code []} stands for a position in a list
 * @param fallback what it is if nobody says; null if it then stays unset
 * @param isSecret whether its value is never shown
 * @param variables the environment variables it can be given by, the first of them wins
 */
public record Setting(String key, @Nullable String fallback, boolean isSecret, List<String> variables) {
    private static final Pattern POSITION = Pattern.compile("\\[\\d+]");
    private static final List<String> SPRING = List.of("locker.", "jwt.", "authentication.", "app.");

    static Setting of(String key, @Nullable String fallback) {
        return new Setting(key, fallback, false, key.contains("[]") ? List.of() : List.of(variable(key)));
    }

    static Setting of(String key) {
        return of(key, null);
    }

    Setting secret() {
        return new Setting(key, fallback, true, variables);
    }

    Setting alsoFrom(String variable) {
        return new Setting(key, fallback, isSecret, List.of(variables.get(0), variable));
    }

    /** Names that other systems have given keep Spring's convention; ours begin with LEASEHOLD. */
    private static String variable(String key) {
        String upper = key.toUpperCase(Locale.ROOT);
        return SPRING.stream().anyMatch(key::startsWith)
                ? upper.replace('.', '_').replace("-", "")
                : "LEASEHOLD_" + upper.replace('.', '_').replace('-', '_');
    }

    /** The name of the setting that a full key is an instance of. */
    static String pattern(String key) {
        return POSITION.matcher(key).replaceAll("[]");
    }
}
