package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.postgres.Db;
import dev.leasehold.queue.LeaseRequest;
import dev.leasehold.queue.LeasedBatch;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.Queue;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueOptions;
import dev.leasehold.queue.StoredItem;
import dev.leasehold.queue.When;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** What is due is done on time by the database's clock, on whatever node, and no other clock is asked. */
@Timeout(60)
class ClockTest {
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LATE = Duration.ofMillis(500);
    private static final int TIMES = 5;
    private static final Pattern CLOCKS = Pattern.compile(
            "currentTimeMillis|(Instant|LocalDateTime|OffsetDateTime|ZonedDateTime)\\.now\\(|new Date\\(|Clock\\.");

    private final PGSimpleDataSource dataSource = TestPostgres.newSchema();
    private final AtomicInteger clients = new AtomicInteger();
    private PostgresQueues node;

    @BeforeEach
    void open() {
        QueueSchema.create(dataSource);
        node = PostgresQueues.create(dataSource);
        node.create(QueueConfig.named("dead"));
        node.create(QueueConfig.named("work").leaseTimeout(SHORT).deadQueue("dead"));
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
        measure("lease, same node", () -> {
            Instant deadline = leaseAndLeave(node.queue("work"));
            return late(deadline, node.queue("work"));
        });
    }

    @Test
    void a_lease_ends_on_time_although_nobody_waits() {
        String table = '"' + QueueTables.items(QueueHash.of("work"), 0) + '"';
        measure("lease, nobody waits", () -> {
            Instant deadline = leaseAndLeave(node.queue("work"));
            Awaitility.await()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(2))
                    .until(() -> Db.number(dataSource, "select count(*) from " + table + " where is_leased") == 0);
            Duration late = Duration.between(deadline, now());
            take(node.queue("work"));
            return late;
        });
    }

    @Test
    void a_lease_ends_on_time_on_another_node_when_the_first_is_gone() {
        measure("lease, another node", () -> {
            Instant deadline;
            try (PostgresQueues gone = PostgresQueues.create(dataSource)) {
                deadline = leaseAndLeave(gone.queue("work"));
            }
            return late(deadline, node.queue("work"));
        });
    }

    @Test
    void a_lease_ends_on_time_after_a_restart() {
        measure("lease, after a restart", () -> {
            Instant deadline = leaseAndLeave(node.queue("work"));
            restart();
            return late(deadline, node.queue("work"));
        });
    }

    @Test
    void a_scheduled_item_comes_on_time_on_the_same_node() {
        measure("scheduled, same node", () -> late(schedule(node.queue("work")), node.queue("work")));
    }

    @Test
    void a_scheduled_item_comes_on_time_on_another_node_when_the_first_is_gone() {
        measure("scheduled, another node", () -> {
            Instant due;
            try (PostgresQueues gone = PostgresQueues.create(dataSource)) {
                due = schedule(gone.queue("work"));
            }
            return late(due, node.queue("work"));
        });
    }

    @Test
    void who_waited_before_another_node_scheduled_an_item_gets_it_a_look_later_at_most() {
        Duration aLook = QueueOptions.DEFAULT.lookInterval();
        measure("scheduled, by a node that is gone, for one that waited before", aLook.plus(LATE), () -> {
            var waiting = node.queue("work").leaseAsync(request());
            Instant due;
            try (PostgresQueues gone = PostgresQueues.create(dataSource)) {
                due = schedule(gone.queue("work"));
            }
            node.queue("work").complete(waiting.join());
            return Duration.between(due, now());
        });
    }

    @Test
    void a_scheduled_item_comes_on_time_after_a_restart() {
        measure("scheduled, after a restart", () -> {
            Instant due = schedule(node.queue("work"));
            restart();
            return late(due, node.queue("work"));
        });
    }

    @Test
    void an_imported_lease_ends_on_time() {
        measure("imported lease", () -> {
            Instant deadline = now().plus(SHORT);
            node.queue("work").importItems(0, List.of(imported(deadline, null)));
            return late(deadline, node.queue("work"));
        });
    }

    @Test
    void an_imported_item_expires_on_time() {
        measure("imported expiry", () -> {
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
        node = PostgresQueues.create(dataSource);
    }

    /** Leases an item, lets go of it, and tells when the lease ends. */
    private Instant leaseAndLeave(Queue queue) {
        queue.produce(NewItem.of("x"));
        return queue.lease(request()).items().get(0).leaseDeadline();
    }

    private Instant schedule(Queue queue) {
        Instant due = now().plus(SHORT);
        queue.produce(NewItem.of("x").when(When.at(due)));
        return due;
    }

    private LeaseRequest request() {
        return LeaseRequest.of("client" + clients.incrementAndGet(), 1).timeout(Duration.ofSeconds(10));
    }

    /** Waits for the item, and tells how late it came; completes it. */
    private Duration late(Instant due, Queue queue) {
        LeasedBatch batch = queue.lease(request());
        Duration late = Duration.between(due, now());
        assertThat(batch.items()).hasSize(1);
        queue.complete(batch);
        return late;
    }

    private void take(Queue queue) {
        queue.complete(queue.lease(request()));
    }

    /** By the database's clock. */
    private Instant now() {
        long micros = Db.number(dataSource, "select (extract(epoch from clock_timestamp()) * 1000000)::bigint");
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    private static void measure(String what, Supplier<Duration> once) {
        measure(what, LATE, once);
    }

    private static void measure(String what, Duration most, Supplier<Duration> once) {
        List<Long> lateMs = IntStream.range(0, TIMES)
                .mapToObj(i -> once.get().toMillis())
                .sorted()
                .toList();
        System.out.println("late by ms, " + what + ": " + lateMs);
        assertThat(lateMs).allSatisfy(ms -> assertThat(ms).isBetween(0L, most.toMillis()));
    }
}
