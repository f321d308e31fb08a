package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.postgres.Db;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Several nodes create and delete a queue of one name at the same time: each is told that it is there, or that it is not. */
@Tag("slow")
@Timeout(TestWaits.TEST_LIMIT)
class SameNameRaceTest {
    private static final int NODES = 3;
    private static final int TIMES = 100;

    private final PGSimpleDataSource dataSource = TestPostgres.newSchema();
    private final List<PostgresQueues> nodes = new ArrayList<>();
    private final Set<String> failures = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @BeforeEach
    void open() {
        QueueSchema.create(dataSource);
        for (int i = 0; i < NODES; i++) {
            nodes.add(PostgresQueues.builder(dataSource).build());
        }
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        nodes.forEach(PostgresQueues::close);
        Db.execute(TestPostgres.dataSource(), "drop schema " + dataSource.getCurrentSchema() + " cascade");
    }

    @Test
    void a_create_and_a_delete_of_the_same_name_fail_only_because_of_each_other() {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (PostgresQueues node : nodes) {
            all.add(again(QueueErrorCode.ALREADY_EXISTS, () -> node.create(QueueConfig.named("same"))));
            all.add(again(QueueErrorCode.NO_SUCH_QUEUE, () -> node.delete("same")));
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new))
                .orTimeout(
                        TestWaits.TEST_LIMIT,
                        TimeUnit.SECONDS) // a create makes a table: on a busy machine this takes a while
                .join();
        assertThat(failures).isEmpty();
    }

    private CompletableFuture<Void> again(QueueErrorCode expected, Runnable call) {
        return CompletableFuture.runAsync(
                () -> {
                    for (int i = 0; i < TIMES; i++) {
                        note(expected, call);
                    }
                },
                threads);
    }

    private void note(QueueErrorCode expected, Runnable call) {
        try {
            call.run();
        } catch (QueueException e) {
            if (e.code() != expected) {
                failures.add(e.code() + ": " + e.getMessage());
            }
        }
    }
}
