package dev.leasehold.cli.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** The known name that somebody probably meant. */
public final class Suggestion {
    private Suggestion() {}

    static Optional<String> to(String name, Collection<String> known) {
        return known.stream()
                .filter(other -> distance(name, other) <= Math.max(1, other.length() / 4))
                .min(Comparator.comparingInt(other -> distance(name, other)));
    }

    /** A question for the end of a message; nothing if no name is near. */
    public static String question(String name, Collection<String> known) {
        return to(name, known).map(other -> "; did you mean '" + other + "'?").orElse("");
    }

    /** How many letters must be changed, swapped, added or left out; dashes, dots and case count for nothing. */
    private static int distance(String one, String other) {
        String a = plain(one);
        String b = plain(other);
        int[][] rows = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                rows[i][j] = i == 0 || j == 0 ? i + j : cheapest(a, b, i, j, rows);
            }
        }
        return rows[a.length()][b.length()];
    }

    private static int cheapest(String a, String b, int i, int j, int[][] rows) {
        int changed = rows[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int least = Math.min(changed, 1 + Math.min(rows[i - 1][j], rows[i][j - 1]));
        boolean isSwapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return isSwapped ? Math.min(least, 1 + rows[i - 2][j - 2]) : least;
    }

    private static String plain(String name) {
        return name.replaceAll("[-_.]", "").toLowerCase(Locale.ROOT);
    }
}
