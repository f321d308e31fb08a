package dev.leasehold.chaos;

import dev.leasehold.chaos.check.Violation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What came of a round.
 *
 * @param calls how many calls succeeded
 * @param losses what became of updates that nothing protected
 * @param complaints what was not given back, did not end or did not recover
 * @param violations what no correct engine could have done
 */
record Report(
        Plan plan, Path directory, long calls, Losses losses, List<String> complaints, List<Violation> violations) {
    private static final int MOST = 3;
    private static final int LONGEST = 600;

    boolean isGood() {
        return complaints.isEmpty() && violations.isEmpty();
    }

    /** For people: if something is wrong, the seed, the history and the shortest excerpts first. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add((isGood() ? "good: " : "FAILED: ") + calls + " calls succeeded, " + violations.size()
                + " violations, " + complaints.size() + " complaints; seed " + plan.seed() + ", history in "
                + directory);
        lines.addAll(complaints);
        violations.stream()
                .sorted(Comparator.comparingInt(violation -> violation.excerpt().size()))
                .limit(MOST)
                .forEach(violation -> violation
                        .toString()
                        .lines()
                        .filter(line -> !line.isBlank())
                        .forEach(line -> lines.add(cut(line))));
        return lines;
    }

    private static String cut(String line) {
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + " …";
    }
}
