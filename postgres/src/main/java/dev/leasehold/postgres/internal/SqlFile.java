package dev.leasehold.postgres.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads .sql files. Three things are replaced, literally and when the file is read:
 *
 * <ul>
 *   <li>{@code ${name}} by the placeholder of that name; an unknown one is an error.
 *   <li>A line {@code --include queue/held_items} by that file. With {@code condition=...} behind it, the rest of the line is the
 *       placeholder {@code ${condition}} of that file.
 *   <li>A line that is a comment by nothing.
 * </ul>
 */
final class SqlFile {
    private static final String INCLUDE = "--include ";
    private static final String CONDITION = " condition=";

    private SqlFile() {}

    /** The file with its placeholders filled in, comments and all. */
    static String read(String name, Map<String, String> placeholders) {
        try (InputStream in = SqlFile.class.getResourceAsStream("/dev/leasehold/postgres/" + name + ".sql")) {
            if (in == null) {
                throw new IllegalStateException("the jar is incomplete: " + name + ".sql is missing");
            }
            return filled(name, new String(in.readAllBytes(), StandardCharsets.UTF_8), placeholders);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String filled(String name, String text, Map<String, String> placeholders) {
        StringBuilder result = new StringBuilder();
        int copied = 0;
        for (int begin = text.indexOf("${"); begin >= 0; begin = text.indexOf("${", copied)) {
            int end = text.indexOf('}', begin);
            String value = placeholders.get(text.substring(begin + 2, end));
            if (value == null) {
                throw new IllegalStateException(
                        name + ".sql has an unknown placeholder: " + text.substring(begin, end + 1));
            }
            result.append(text, copied, begin).append(value);
            copied = end + 1;
        }
        return result.append(text, copied, text.length()).toString();
    }

    /** The file with its includes and without its comments. */
    static String withoutComments(String name, Map<String, String> placeholders) {
        StringBuilder result = new StringBuilder();
        read(name, placeholders).lines().forEach(line -> {
            String content = line.strip();
            if (content.startsWith(INCLUDE)) {
                result.append(included(content.substring(INCLUDE.length()), placeholders))
                        .append('\n');
            } else if (!content.startsWith("--")) {
                result.append(line).append('\n');
            }
        });
        return result.toString().strip();
    }

    private static String included(String directive, Map<String, String> placeholders) {
        int condition = directive.indexOf(CONDITION);
        if (condition < 0) {
            return withoutComments(directive, placeholders);
        }
        Map<String, String> all = new HashMap<>(placeholders);
        all.put("condition", directive.substring(condition + CONDITION.length()));
        return withoutComments(directive.substring(0, condition), all);
    }
}
