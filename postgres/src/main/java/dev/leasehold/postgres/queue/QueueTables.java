package dev.leasehold.postgres.queue;

import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueLimits;
import dev.leasehold.queue.spi.PartitionRef;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The names of the tables of queues. They are checked and quoted, and found through the connection's search path.
 *
 * @param queues one row per queue
 */
public record QueueTables(String queues) {
    private static final Pattern IDENTIFIER = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");

    /** So that names which contain this one stay within PostgreSQL's 63 bytes. */
    private static final int MAX_LENGTH = 51;

    /** Querator's name. */
    public static final QueueTables DEFAULT = new QueueTables("queues");

    public QueueTables {
        if (!IDENTIFIER.matcher(queues).matches() || queues.length() > MAX_LENGTH) {
            throw QueueException.invalidArgument("the name of the table of queues must be an SQL identifier of at most "
                    + MAX_LENGTH + " characters, got '" + queues + "'");
        }
    }

    /** What the placeholders of the .sql files stand for. */
    Map<String, String> placeholders() {
        return Map.of(
                "queues", quoted(queues),
                "queues_hash", quoted(queues + "_hash"),
                "queues_version", quoted(queues + "_version"),
                "version_sequence", literal(quoted(queues + "_version")),
                "now", "coalesce(to_timestamp(:now::bigint / 1000.0), clock_timestamp())",
                "near_now", QueueLimits.NEAR_NOW.toMillis() + " milliseconds");
    }

    /** The placeholders for the statements of one partition. */
    Map<String, String> placeholders(PartitionRef partition) {
        return placeholders(QueueHash.of(partition.queue().name()), partition.number());
    }

    Map<String, String> placeholders(String hash, int number) {
        String items = items(hash, number);
        String index = "idx_" + hash + "_" + number;
        Map<String, String> all = new HashMap<>(placeholders());
        all.put("items", quoted(items));
        all.put("sequence", quoted(items + "_seq"));
        all.put("sequence_name", literal(quoted(items + "_seq")));
        all.put("idx_lse", quoted(index + "_lse"));
        all.put("idx_dln", quoted(index + "_dln"));
        all.put("idx_sch", quoted(index + "_sch"));
        all.put("idx_exp", quoted(index + "_exp"));
        all.put("idx_src", quoted(index + "_src"));
        return all;
    }

    /** The name of a partition's table. */
    static String items(String hash, int number) {
        return "items_" + hash + "_" + number;
    }

    static String items(PartitionRef partition) {
        return items(QueueHash.of(partition.queue().name()), partition.number());
    }

    static String quoted(String identifier) {
        return '"' + identifier + '"';
    }

    private static String literal(String text) {
        return "'" + text + "'";
    }
}
