package dev.leasehold.cli.config;

/**
 * A setting as somebody wrote it.
 *
 * @param key its full name, with the positions in lists: {@code queues[0].name}
 */
public record Value(String key, String text, Source source) {
    /** Its name and where it was, for messages. */
    String where() {
        return key + " (" + source + ")";
    }

    /** Does not tell the text: it may be a secret. */
    @Override
    public String toString() {
        return where();
    }
}
