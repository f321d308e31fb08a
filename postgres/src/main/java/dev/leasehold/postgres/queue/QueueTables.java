package dev.leasehold.postgres.queue;

import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.admin.QueueBounds;
import dev.leasehold.queue.admin.QueueLimits;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.internal.Ksuid;
import dev.leasehold.queue.spi.PartitionRef;
import java.time.Duration;
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

    /** The timeline in which the server writes: another after every failover and every recovery to a point in time. */
    private static final String SERVER_TIMELINE = "case when pg_is_in_recovery() then 0"
            + " else ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int end";

    /** Whether the sequences of a queue were advanced in this timeline; true on servers that do not tell theirs. */
    private static final String IN_TIMELINE =
            "case when timeline <= 0 then timeline < 0 else timeline = " + SERVER_TIMELINE + " end";

    /** About how many bytes an item takes, as {@code LeasedItem.weight} says. None of it reads what is stored out of line. */
    private static final String WEIGHT = "coalesce(octet_length(r.payload), 0) + octet_length(r.reference)"
            + " + octet_length(r.encoding) + octet_length(r.kind) + " + QueueLimits.ITEM_WEIGHT;

    /** So that names which contain this one stay within PostgreSQL's 63 bytes. */
    private static final int MAX_LENGTH = 51;

    /** How long a change of a queue waits for a lock before it is tried again. */
    static final Duration LOCK_TIMEOUT = Duration.ofSeconds(1);

    /** Querator's name. */
    public static final QueueTables DEFAULT = new QueueTables("queues");

    public QueueTables {
        if (!IDENTIFIER.matcher(queues).matches() || queues.length() > MAX_LENGTH) {
            throw QueueException.invalidArgument("the name of the table of queues must be an SQL identifier of at most "
                    + MAX_LENGTH + " characters, got '" + queues + "'");
        }
    }

    /** The names by the default ones, which the versioned .sql files contain. */
    Map<String, String> insteadOfDefaults() {
        return Map.of(
                quoted(DEFAULT.queues), quoted(queues),
                quoted(DEFAULT.queues + "_hash"), quoted(queues + "_hash"),
                quoted(DEFAULT.queues + "_version"), quoted(queues + "_version"));
    }

    /** What the placeholders of the .sql files stand for. */
    Map<String, String> placeholders() {
        Map<String, String> all = new HashMap<>();
        all.put("queues", quoted(queues));
        all.put("queues_hash", quoted(queues + "_hash"));
        all.put("queues_version", quoted(queues + "_version"));
        all.put("version_sequence", literal(quoted(queues + "_version")));
        all.put("records_lock", lock(queues));
        all.put("lock_timeout", literal(LOCK_TIMEOUT.toMillis() + "ms"));
        all.put("server_timeline", SERVER_TIMELINE);
        all.put("in_timeline", IN_TIMELINE);
        all.put("given_back_wrap", String.valueOf(Ksuid.GIVEN_BACK_WRAP));
        all.put("now", "coalesce(to_timestamp(:now::bigint / 1000.0), clock_timestamp())");
        all.put("never", "timestamptz " + literal(StoredItem.NEVER.toString()));
        all.put("weight", WEIGHT);
        all.put("most_stores", String.valueOf(Ksuid.PARTITIONS));
        all.put("page_bytes", String.valueOf(QueueBounds.DEFAULT.answerBytes()));
        all.put("near_now", QueueLimits.NEAR_NOW.toMillis() + " milliseconds");
        return all;
    }

    /** The text of an advisory lock, which is not that of a table with the same name in another schema. */
    private String lock(String name) {
        return literal("leasehold." + name + " ") + " || " + literal(quoted(queues)) + "::regclass::oid";
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
        all.put("items_lock", lock(items));
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
        return itemsPrefix(hash) + number;
    }

    /** What the names of the tables of a queue begin with. */
    static String itemsPrefix(String hash) {
        return "items_" + hash + "_";
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
