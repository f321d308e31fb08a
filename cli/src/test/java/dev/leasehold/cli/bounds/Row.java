package dev.leasehold.cli.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One row of the table of bounds in docs/security.md.
 *
 * @param what what is bounded
 * @param fallback the bound, unless a setting says otherwise
 * @param setting the setting in quotes, or {@code fixed}
 * @param beyond what the caller gets beyond the bound
 */
public record Row(String what, String fallback, String setting, String beyond) {
    private static final Pattern STATUS = Pattern.compile("(?:^|; )(\\d{3})\\b");
    private static final Pattern MESSAGE = Pattern.compile("`([^`]* [^`]*)`");

    /** All rows, from top to bottom. */
    public static List<Row> all() throws IOException {
        List<Row> rows = new ArrayList<>();
        boolean isInside = false;
        for (String line : Files.readAllLines(Path.of("..", "docs", "security.md"))) {
            isInside = line.startsWith("#") ? line.equals("## Bounds and budgets") : isInside;
            if (isInside && line.startsWith("|") && !line.startsWith("|---") && !line.startsWith("| What ")) {
                List<String> cells = List.of(line.split(" *\\| *", -1));
                rows.add(new Row(cells.get(1), cells.get(2), cells.get(3), cells.get(4)));
            }
        }
        return rows;
    }

    /** The setting without its quotes. */
    public String key() {
        return setting.replace("`", "");
    }

    /** The bound as a number. */
    int bound() {
        return Integer.parseInt(fallback.replaceAll("[`,]", ""));
    }

    /** The statuses that it promises, in its order. */
    List<Integer> statuses() {
        return STATUS.matcher(beyond)
                .results()
                .map(found -> Integer.parseInt(found.group(1)))
                .toList();
    }

    /** Checks that an answer has the first status of this row, and one of its messages if it quotes any. */
    void promises(RawConnection.Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(statuses().get(0));
        List<Pattern> messages =
                MESSAGE.matcher(beyond).results().map(Row::pattern).toList();
        if (!messages.isEmpty()) {
            assertThat(messages)
                    .as(answer.body())
                    .anyMatch(message -> message.matcher(answer.body()).find());
        }
    }

    /** Three dots stand for anything. */
    private static Pattern pattern(MatchResult quoted) {
        return Pattern.compile(Arrays.stream(quoted.group(1).split("…", -1))
                .map(Pattern::quote)
                .collect(Collectors.joining(".*")));
    }
}
