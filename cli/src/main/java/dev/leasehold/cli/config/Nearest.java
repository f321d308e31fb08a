package dev.leasehold.cli.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** The known name that somebody probably meant. */
final class Nearest {
    private Nearest() {}

    static Optional<String> to(String name, Collection<String> known) {
        return known.stream()
                .filter(other -> distance(name, other) <= Math.max(1, other.length() / 4))
                .min(Comparator.comparingInt(other -> distance(name, other)));
    }

    /** A question for the end of a message; nothing if no name is near. */
    static String question(String name, Collection<String> known) {
        return to(name, known).map(other -> "; did you mean '" + other + "'?").orElse("");
    }

    /** How many letters must be changed, added or left out; dashes, dots and case count for nothing. */
    private static int distance(String one, String other) {
        String a = plain(one);
        String b = plain(other);
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }

    private static String plain(String name) {
        return name.replaceAll("[-_.]", "").toLowerCase(Locale.ROOT);
    }
}
