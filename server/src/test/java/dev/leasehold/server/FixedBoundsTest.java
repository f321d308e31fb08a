package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.admin.LockListing;
import dev.leasehold.queue.admin.QueueBounds;
import dev.leasehold.queue.admin.QueueLimits;
import dev.leasehold.server.http.ErrorReplies;
import dev.leasehold.server.http.HttpTransport;
import dev.leasehold.spi.GoDuration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The bounds of docs/security.md that have no setting are those of the code. Those that have one: {@code BoundsTest} in cli. */
class FixedBoundsTest {
    /** What the table calls it, and what the code says. */
    private static final Map<String, String> IN_CODE = Map.ofEntries(
            Map.entry("body where no credential is needed", "none"),
            Map.entry("body of a lock call", ErrorReplies.size(Routes.LOCK_BODY)),
            Map.entry("body of a lease, of stats, clear and reload", ErrorReplies.size(Routes.NAME_BODY)),
            Map.entry("body of other queue calls", ErrorReplies.size(Routes.QUEUE_BODY)),
            Map.entry("body of an update of a queue, of a delete of items", ErrorReplies.size(Routes.UPDATE_BODY)),
            Map.entry("body of an import", ErrorReplies.size(Routes.IMPORT_BODY)),
            Map.entry("items of a produce, lease, complete, retry, extend or give back", number(QueueLimits.MAX_BATCH)),
            Map.entry("items of an import, ids of a delete", number(QueueLimits.MAX_ITEMS_PAGE)),
            Map.entry("items of one page", number(QueueLimits.MAX_ITEMS_PAGE)),
            Map.entry(
                    "page of queues (`queues.list`)",
                    number(QueueLimits.MAX_QUEUES_PAGE) + " queues and " + QueueBounds.DEFAULT.answerBytes() / 1_000_000
                            + " MB"),
            Map.entry("page of locks (`lock.list`)", number(LockListing.MAX_LIMIT)),
            Map.entry("answers with items that are being encoded at once", "a 16th of the heap"),
            Map.entry(
                    "requests of one connection that are not answered",
                    Integer.toString(HttpTransport.UNANSWERED_REQUESTS)),
            Map.entry("time to take an answer", duration(HttpTransport.ANSWER_TIME)),
            Map.entry("wait for a lock, or for items", duration(QueueLimits.MAX_REQUEST_TIMEOUT)));

    private static String number(int number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String duration(java.time.Duration duration) {
        return GoDuration.format(duration).replaceFirst("m0s$", "m");
    }

    /** The refusal that is quoted names the bound of its own row. */
    @Test
    void what_the_caller_is_told_is_the_bound_of_the_row() throws IOException {
        List<List<String>> rows = Files.readAllLines(Path.of("..", "docs", "security.md")).stream()
                .map(line -> List.of(line.split(" *\\| *", -1)))
                .filter(cells -> cells.size() == 6 && cells.get(4).contains("`request body exceeds "))
                .filter(cells -> cells.get(3).equals("fixed"))
                .toList();
        assertThat(rows)
                .hasSizeGreaterThan(4)
                .allSatisfy(cells ->
                        assertThat(cells.get(4)).contains("400 `request body exceeds " + cells.get(2) + " limit`"));
    }

    @Test
    void every_bound_without_a_setting_is_that_of_the_code() throws IOException {
        Map<String, String> documented = new LinkedHashMap<>();
        for (String line : Files.readAllLines(Path.of("..", "docs", "security.md"))) {
            List<String> cells = List.of(line.split(" *\\| *", -1));
            if (cells.size() == 6 && cells.get(3).equals("fixed")) {
                documented.put(cells.get(1), cells.get(2));
            }
        }
        assertThat(documented).containsExactlyInAnyOrderEntriesOf(IN_CODE);
    }
}
