package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.postgres.Db;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.When;
import dev.leasehold.queue.admin.QueueLimits;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.testkit.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** What is due is done on time by the database's clock, on whatever node, and no other clock is asked. */
@Timeout(240)
@Tag("slow")
class ClockTest {
    private static final Duration SHORT = Duration.ofMillis(300);

    /** Nobody looks for what is due without knowing of it: that would take ten minutes. */
    private static final Duration NEVER = Duration.ofMinutes(10);

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int TIMES = 3;
    private static final Pattern CLOCKS = Pattern.compile(
            "currentTimeMillis|(Instant|LocalDateTime|OffsetDateTime|ZonedDateTime)\\.now\\(|new Date\\(|Clock\\.");

    private final PGSimpleDataSource dataSource = TestPostgres.newSchema();
    private final AtomicInteger clients = new AtomicInteger();
    private PostgresQueues node;

    @BeforeEach
    void open() {
        QueueSchema.create(dataSource);
        node = node();
        node.create(QueueConfig.named("dead"));
        node.create(QueueConfig.named("work").leaseTimeout(SHORT).deadQueue("dead"));
    }

    private PostgresQueues node() {
        return PostgresQueues.builder(dataSource)
                .options(options -> options.lookInterval(NEVER))
                .build();
    }

    @AfterEach
    void close() {
        node.close();
        Db.execute(TestPostgres.dataSource(), "drop schema " + dataSource.getCurrentSchema() + " cascade");
    }

    @Test
    void the_engine_asks_no_clock_of_the_application() throws IOException {
        for (String sources : List.of(
                "../core/src/main/java/dev/leasehold/queue",
                "src/main/java/dev/leasehold/postgres/queue",
                "src/main/java/dev/leasehold/postgres/internal")) {
            try (Stream<Path> files = Files.walk(Path.of(sources))) {
                List<Path> askers = files.filter(Files::isRegularFile)
                        .filter(file -> CLOCKS.matcher(text(file)).find())
                        .toList();
                assertThat(askers).isEmpty();
            }
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_lease_ends_on_time_on_the_node_that_gave_it() {
        repeat(() -> {
            Instant deadline = leaseAndLeave(node.queue("work"));
            return late(deadline, node.queue("work"));
        });
    }

    @Test
    void a_lease_ends_on_time_although_nobody_waits() {
        String table = '"' + QueueTables.items(QueueHash.of("work"), 0) + '"';
        repeat(() -> {
            Instant deadline = leaseAndLeave(node.queue("work"));
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> Db.number(dataSource, "select count(*) from " + table + " where is_leased") == 0);
            Duration late = Duration.between(deadline, now());
            take(node.queue("work"));
            return late;
        });
    }

    @Test
    void a_lease_ends_on_time_on_another_node_when_the_first_is_gone() {
        repeat(() -> {
            Instant deadline;
            try (PostgresQueues gone = node()) {
                deadline = leaseAndLeave(gone.queue("work"));
            }
            return late(deadline, node.queue("work"));
        });
    }

    @Test
    void a_lease_ends_on_time_after_a_restart() {
        repeat(() -> {
            Instant deadline = leaseAndLeave(node.queue("work"));
            restart();
            return late(deadline, node.queue("work"));
        });
    }

    @Test
    void a_scheduled_item_comes_on_time_on_the_same_node() {
        repeat(() -> late(schedule(node.queue("work")), node.queue("work")));
    }

    @Test
    void a_scheduled_item_comes_on_time_on_another_node_when_the_first_is_gone() {
        repeat(() -> {
            Instant due;
            try (PostgresQueues gone = node()) {
                due = schedule(gone.queue("work"));
            }
            return late(due, node.queue("work"));
        });
    }

    @Test
    void who_waited_before_another_node_scheduled_an_item_gets_it_by_a_look() {
        node.close();
        node = PostgresQueues.create(dataSource);
        repeat(() -> {
            var waiting = node.queue("work").leaseAsync(request());
            Instant due;
            try (PostgresQueues gone = node()) {
                due = schedule(gone.queue("work"));
            }
            node.queue("work").complete(waiting.join());
            return Duration.between(due, now());
        });
    }

    @Test
    void a_scheduled_item_comes_on_time_after_a_restart() {
        repeat(() -> {
            Instant due = schedule(node.queue("work"));
            restart();
            return late(due, node.queue("work"));
        });
    }

    @Test
    void an_imported_lease_ends_on_time() {
        repeat(() -> {
            Instant deadline = now().plus(SHORT);
            node.queue("work").importItems(0, List.of(imported(deadline, null)));
            return late(deadline, node.queue("work"));
        });
    }

    @Test
    void an_imported_item_expires_on_time() {
        repeat(() -> {
            Instant deadline = now().plus(SHORT);
            node.queue("work").importItems(0, List.of(imported(null, deadline)));
            return late(deadline, node.queue("dead"));
        });
    }

    private static StoredItem imported(@Nullable Instant leaseDeadline, @Nullable Instant expireDeadline) {
        boolean leased = leaseDeadline != null;
        return new StoredItem(
                null, null, leased, leaseDeadline, expireDeadline, null, null, 0, 0, "", "", "", new byte[] {1});
    }

    private void restart() {
        node.close();
        node = node();
    }

    /** Leases an item, lets go of it, and tells when the lease ends. */
    private Instant leaseAndLeave(ItemQueue queue) {
        queue.produce(NewItem.of("x"));
        return queue.lease(request()).items().get(0).leaseDeadline();
    }

    /** Schedules an item, and tells when it may come. On a busy machine it may be so late that its time counts as now. */
    private Instant schedule(ItemQueue queue) {
        Instant due = now().plus(SHORT);
        queue.produce(NewItem.of("x").when(When.at(due)));
        Instant nearNow = due.minus(QueueLimits.NEAR_NOW);
        return now().isBefore(nearNow) ? due : nearNow;
    }

    private LeaseRequest request() {
        return LeaseRequest.of("client" + clients.incrementAndGet(), 1).timeout(PATIENCE);
    }

    /** Waits for the item, and tells how late it came; completes it. */
    private Duration late(Instant due, ItemQueue queue) {
        LeasedBatch batch = queue.lease(request());
        Duration late = Duration.between(due, now());
        assertThat(batch.items()).hasSize(1);
        queue.complete(batch);
        return late;
    }

    private void take(ItemQueue queue) {
        queue.complete(queue.lease(request()));
    }

    /** By the database's clock. */
    private Instant now() {
        long micros = Db.number(dataSource, "select (extract(epoch from clock_timestamp()) * 1000000)::bigint");
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** What is due comes, and not before its time. */
    private static void repeat(Supplier<Duration> late) {
        for (int i = 0; i < TIMES; i++) {
            assertThat(late.get()).isGreaterThanOrEqualTo(Duration.ZERO);
        }
    }
}
