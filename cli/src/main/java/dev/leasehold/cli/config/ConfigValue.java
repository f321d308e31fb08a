package dev.leasehold.cli.config;

import java.nio.file.Path;

/**
 * A setting as somebody wrote it.
 *
 * @param key its full name, with the positions in lists: {@code queues[0].name}
 * @param source where it was written, in words
 */
public record ConfigValue(String key, String text, String source) {
    /** The source of what nobody wrote. */
    static final String DEFAULT = "default";

    static String line(Path file, int line) {
        return "line " + line + " of " + file;
    }

    static String variable(String name) {
        return "environment variable " + name;
    }

    static String option(String name) {
        return "option " + name;
    }

    /** Its name and where it was, for messages. */
    String where() {
        return key + " (" + source + ")";
    }

    /** Without the text: it may be a secret. */
    @Override
    public String toString() {
        return where();
    }
}
