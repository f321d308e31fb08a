package dev.leasehold.postgres.queue;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.postgres.Db;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.spi.PartitionRef;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * Statements find their items by index, whatever the planner believes about a table, and what they cost does not grow with it.
 */
@Timeout(120)
@Tag("slow")
class QueuePlansTest {
    private static final Set<String> LOOK = Set.of("lse", "dln", "sch", "exp");
    private static BareEngine bare;
    private static PartitionRef dead;

    @BeforeAll
    static void open() {
        bare = new BareEngine();
        dead = bare.create(QueueConfig.named("dead"));
        bare.store.produce(dead, BareEngine.items(1)).join();
    }

    @AfterAll
    static void close() {
        bare.close();
    }

    /** A queue whose table nobody analyzes but the test, and which loads faster than others. */
    private static PartitionRef queue(String name) {
        PartitionRef queue = bare.create(QueueConfig.named(name).deadQueue("dead"));
        bare.store
                .delete(queue, bare.store.produce(queue, BareEngine.items(1)).join())
                .join();
        run(queue, "alter table ITEMS set (autovacuum_enabled = false)");
        run(queue, "alter table ITEMS set unlogged");
        return queue;
    }

    private static String withTable(PartitionRef queue, String sql) {
        return sql.replace("ITEMS", QueueTables.quoted(QueueTables.items(queue)));
    }

    private static void run(PartitionRef queue, String sql) {
        Db.execute(bare.dataSource, withTable(queue, sql));
    }

    private static long number(PartitionRef queue, String sql) {
        return Db.number(bare.dataSource, withTable(queue, sql));
    }

    private static String insert(int count, String enqueueAt, String leaseDeadline) {
        return "insert into ITEMS (expire_deadline, created_at, enqueue_at, is_leased, lease_deadline, payload)"
                + " select now() + interval '1 day', now(), " + enqueueAt + ", " + leaseDeadline + " is not null, "
                + leaseDeadline + ", '' from generate_series(1, " + count + ") as i";
    }

    private static String ready(int count) {
        return insert(count, "null::timestamptz", "null::timestamptz");
    }

    private static String scheduled(int count) {
        return insert(count, "now() + interval '1 hour' + i * interval '1 second'", "null::timestamptz");
    }

    private static String leased(int count) {
        return insert(count, "null::timestamptz", "now() + interval '1 hour' + i * interval '1 millisecond'");
    }

    private static Map<String, Object> values(PartitionRef queue, long[] ids) {
        Map<String, Object> values = new HashMap<>(Map.of(
                "queue", queue.queue().name(),
                "version", queue.queue().version(),
                "uid", queue.queue().uid(),
                "limit", 100L,
                "lease_us", 60_000_000L,
                "expire_us", 60_000_000L,
                "partition", 0L,
                "first", 0L,
                "max_attempts", 3L));
        for (String name : Set.of("backs", "calls", "timeouts_us", "deads", "ats_us", "delays_us")) {
            values.put(name, new long[ids.length]);
        }
        values.put("ids", ids);
        values.put("bytes", 16_000_000L);
        values.put("dead_queue", "dead");
        values.put("dead_version", dead.queue().version());
        values.put("dead_uid", dead.queue().uid());
        values.put("leaves_dead", 0L);
        values.put("dead_expire_us", 60_000_000L);
        return values;
    }

    private static Stream<DynamicTest> stages(PartitionRef queue, String... namesAndSql) {
        return Stream.iterate(0, i -> i < namesAndSql.length, i -> i + 2)
                .map(i -> DynamicTest.dynamicTest(namesAndSql[i], () -> {
                    run(queue, namesAndSql[i + 1]);
                    assertPlans(queue);
                }));
    }

    @TestFactory
    Stream<DynamicTest> every_statement_goes_by_index() {
        PartitionRef queue = queue("planned");
        Map<String, Long> small = new HashMap<>();
        return Stream.of(
                        stages(
                                queue,
                                "on an empty table",
                                "select",
                                "on an empty table that was analyzed, and one item",
                                "analyze ITEMS; " + ready(1),
                                "with 10,000 items where statistics know of none",
                                ready(9_999)),
                        Stream.of(
                                DynamicTest.dynamicTest("and a batch has its cost", () -> small.putAll(costs(queue)))),
                        stages(queue, "with a million items where statistics know of none", ready(990_000)),
                        Stream.of(DynamicTest.dynamicTest(
                                "and a batch costs no more than twice as much",
                                () -> costs(queue)
                                        .forEach((name, cost) -> assertThat(cost)
                                                .as(name)
                                                .isLessThanOrEqualTo(2 * requireNonNull(small.get(name)))))),
                        stages(
                                queue,
                                "with a million items, analyzed",
                                "analyze ITEMS",
                                "after 500,000 completions",
                                "delete from ITEMS where id in (select id from ITEMS order by id limit 500000)",
                                "after 500,000 completions, analyzed",
                                "analyze ITEMS",
                                "with 100,000 leased items",
                                leased(100_000),
                                "with 100,000 leased items, analyzed",
                                "analyze ITEMS",
                                "when all were leased when it was analyzed",
                                "truncate ITEMS; " + leased(10_000)
                                        + "; analyze ITEMS; update ITEMS set is_leased = false, lease_deadline = null"))
                .flatMap(Function.identity());
    }

    @TestFactory
    Stream<DynamicTest> every_statement_goes_by_index_on_a_table_that_was_never_analyzed() {
        return stages(
                queue("fresh"),
                "with 10,000 items",
                ready(10_000),
                "with a million scheduled items in front of 100",
                "truncate ITEMS; " + scheduled(1_000_000) + "; " + ready(100),
                "the same, analyzed",
                "analyze ITEMS",
                "when all but a few have gone, and none was taken away",
                "truncate ITEMS; " + ready(100_000)
                        + "; delete from ITEMS where id < (select max(id) - 100 from ITEMS)",
                "the same, analyzed",
                "analyze ITEMS",
                "the same, with one item left as far as statistics know",
                "update pg_class set reltuples = 1 where oid = 'ITEMS'::regclass");
    }

    private static void assertPlans(PartitionRef queue) throws SQLException {
        try (Plans plans = new Plans(bare.dataSource, queue)) {
            Map<String, Object> values = values(queue, new long[] {1, 2, 3});
            assertThat(plans.explain("lease", null, values)).doesNotContain("Sort");
            assertIndexes(plans, queue, "produce", null, Set.of());
            assertIndexes(plans, queue, "lease", null, Set.of("lse", "dln", "sch"));
            for (String name : Set.of("complete", "complete_all", "extend", "give_back", "delete")) {
                assertIndexes(plans, queue, name, null, Set.of("pkey"));
            }
            assertIndexes(plans, queue, "retry", null, Set.of("pkey"));
            assertIndexes(plans, queue, "retry", dead, Set.of("pkey"));
            assertIndexes(plans, queue, "sweep", null, Set.of("dln", "sch", "exp", "pkey"));
            assertIndexes(plans, queue, "sweep", dead, Set.of("dln", "sch", "exp", "pkey"));
            String sweep = plans.explain("sweep", dead, values);
            assertThat(cte(sweep, "ended")).contains("_dln").doesNotContain("Sort");
            assertThat(cte(sweep, "due")).contains("_sch").doesNotContain("Sort");
            assertThat(cte(sweep, "expired")).contains("_exp").doesNotContain("Sort");
            assertThat(indexes(queue, plans.explain("partition_outlook", null, values)))
                    .isSubsetOf(LOOK);
            assertThat(plans.explain("survey_ready_items", null, values)).doesNotContain("Sort");
            assertIndexes(plans, queue, "survey_ready_items", null, Set.of("lse"));
            assertIndexes(plans, queue, "list_items", null, Set.of("pkey"));
            assertThat(plans.explain("list_items", null, values)).doesNotContain("Sort");
            assertThat(indexes(queue, plans.explain("list_scheduled", null, values)))
                    .isSubsetOf(Set.of("pkey", "sch"));
        }
    }

    private static void assertIndexes(
            Plans plans, PartitionRef queue, String name, @Nullable PartitionRef to, Set<String> expected)
            throws SQLException {
        String plan = plans.explain(name, to, values(queue, new long[] {1, 2, 3}));
        assertThat(plan).as(name).doesNotContain("Seq Scan on items").doesNotContain("Bitmap");
        assertThat(indexes(queue, plan)).as(name + "\n" + plan).isEqualTo(expected);
    }

    /** The last words of the names of the indexes by which a plan reaches the table of a queue. */
    private static Set<String> indexes(PartitionRef queue, String plan) {
        Matcher matcher = Pattern.compile("using \\S+_(\\w+?) on " + QueueTables.items(queue))
                .matcher(plan);
        Set<String> found = new TreeSet<>();
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }

    /** The part of a plan that makes a named piece. */
    private static String cte(String plan, String name) {
        Matcher matcher =
                Pattern.compile("(?m)^( *)CTE " + name + "\n((?:\\1 +.*\n)*)").matcher(plan);
        assertThat(matcher.find()).as(plan).isTrue();
        return matcher.group(2);
    }

    /** How many blocks each statement reads for 100 items. */
    private static Map<String, Long> costs(PartitionRef queue) throws SQLException {
        long first = number(queue, "select min(id) from ITEMS");
        long[] ids = LongStream.range(first, first + 100).toArray();
        String leasing = withTable(
                queue,
                "update ITEMS set is_leased = true, lease_deadline = now() + interval '1 hour' where id between "
                        + first + " and " + (first + 99));
        Map<String, Long> costs = new TreeMap<>();
        try (Plans plans = new Plans(bare.dataSource, queue)) {
            for (String name : Set.of("lease", "partition_outlook", "sweep")) {
                costs.put(name, plans.blocks("select", name, dead, values(queue, ids)));
            }
            for (String name : Set.of("complete", "complete_all", "retry", "extend", "give_back")) {
                costs.put(name, plans.blocks(leasing, name, dead, values(queue, ids)));
            }
        }
        return costs;
    }

    @Test
    void lifecycle_work_does_not_read_payloads() throws SQLException {
        PartitionRef queue = queue("heavy");
        run(queue, "alter table ITEMS alter column payload set storage external");
        run(
                queue,
                leased(1000)
                        .replace("now() + interval '1 hour'", "now() - interval '1 hour'")
                        .replace(", '' from", ", convert_to(repeat('0123456789abcdef', 4096), 'utf8') from"));
        long size = toastSize(queue);
        assertThat(size).isGreaterThan(60_000_000);
        long[] ids = LongStream.rangeClosed(2, 1001).toArray();
        Map<String, Object> values = values(queue, ids);
        values.put("limit", 1000L);
        try (Plans plans = new Plans(bare.dataSource, queue)) {
            for (String name : Set.of("sweep", "retry", "extend", "give_back", "partition_outlook")) {
                assertThat(plans.toastBlocks(name, null, values)).as(name).isZero();
            }
            assertThat(plans.toastBlocks("complete", null, values))
                    .as("complete")
                    .isPositive();
        }
        assertThat(bare.store.sweep(queue, dead).join().ready()).isEqualTo(1000);
        assertThat(toastSize(queue)).isEqualTo(size);
    }

    private static long toastSize(PartitionRef queue) {
        return number(queue, "select pg_relation_size(reltoastrelid) from pg_class where oid = 'ITEMS'::regclass");
    }
}
