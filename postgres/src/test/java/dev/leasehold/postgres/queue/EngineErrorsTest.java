package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.postgres.Db;
import dev.leasehold.postgres.Faulty;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.ProduceRequest;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;

/** An Error in a thread of the engine fails the call that it belongs to; the thread goes on. */
@Timeout(TestWaits.TEST_LIMIT)
@Tag("slow")
class EngineErrorsTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    private PGSimpleDataSource schema;
    private PostgresQueues queues;
    private ItemQueue queue;
    private volatile @Nullable Supplier<? extends Throwable> fault;
    private volatile String type = "";
    private volatile String method = "";

    @BeforeEach
    void open() {
        schema = TestPostgres.newSchema();
        QueueSchema.create(schema);
        queues = PostgresQueues.builder(Faulty.dataSource(schema, this::before))
                .timeout(LONG)
                .options(options -> options.lookInterval(Duration.ofMillis(20)))
                .build();
        queues.create(QueueConfig.named("work"));
        queue = queues.queue("work");
        queue.produce(NewItem.of("first"));
    }

    @AfterEach
    void close() {
        fault = null;
        queues.close();
        Db.execute(TestPostgres.dataSource(), "drop schema " + schema.getCurrentSchema() + " cascade");
    }

    private void before(String type, String method) {
        Supplier<? extends Throwable> now = fault;
        if (now != null && this.type.equals(type) && this.method.equals(method)) {
            throw EngineErrorsTest.<RuntimeException>sneaky(now.get());
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // throws what the compiler does not expect there
    private static <T extends Throwable> T sneaky(Throwable failure) throws T {
        throw (T) failure;
    }

    @ParameterizedTest
    @CsvSource({
        "DataSource, getConnection",
        "Connection, prepareStatement",
        "Connection, createStatement",
        "Connection, setNetworkTimeout",
        "Connection, isValid",
        "PreparedStatement, execute",
        "PreparedStatement, getResultSet",
        "PreparedStatement, close",
        "Statement, execute",
        "Connection, close"
    })
    void every_call_fails_at_once_and_the_next_one_succeeds(String type, String method) throws Exception {
        this.type = type;
        this.method = method;
        for (Supplier<? extends Throwable> what : List.<Supplier<? extends Throwable>>of(
                () -> new OutOfMemoryError("injected"),
                () -> new StackOverflowError("injected"),
                () -> new AssertionError("injected"),
                () -> new IllegalStateException("injected"))) {
            fault = what;
            for (int i = 0; i < 3; i++) {
                ends(queue.produceAsync(ProduceRequest.of(NewItem.of("x"))));
                ends(queue.admin().listAsync(ItemListing.of(0)));
                ends(queues.infoAsync("work"));
                ends(queues.createAsync(QueueConfig.named("other" + i)));
                ends(queues.queue("unknown" + i).statsAsync());
            }
            fault = null;
            queue.produce(NewItem.of("again"));
            LeasedBatch batch = queue.lease(LeaseRequest.of("client", 10));
            queue.complete(batch);
            assertThat(queues.info("work").name()).isEqualTo("work");
        }
    }

    /** Waits for the end of a call, whichever it is; a call that hangs fails the test long before its own timeout. */
    private static void ends(CompletableFuture<?> call) throws Exception {
        try {
            call.get(TestWaits.LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            assertThat(e.getCause()).isInstanceOf(QueueException.class);
        }
    }

    @Test
    void the_listener_comes_back() throws Exception {
        type = "Statement";
        method = "execute";
        fault = () -> new OutOfMemoryError("injected");
        CompletableFuture<LeasedBatch> waiting = queues.queue("work").leaseAsync(LeaseRequest.of("early", 10));
        ends(queue.admin().listAsync(ItemListing.of(0)));
        fault = null;
        waiting.cancel(true);
        try (PostgresQueues other = PostgresQueues.create(schema)) {
            TestWaits.await().until(() -> {
                CompletableFuture<LeasedBatch> next = queue.leaseAsync(LeaseRequest.of("late", 10));
                other.queue("work").produce(NewItem.of("wake"));
                return !next.get(TestWaits.LIMIT.toSeconds(), TimeUnit.SECONDS).isEmpty();
            });
        }
    }
}
