package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.postgres.Db;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.admin.QueueUpdate;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Conflicts with other transactions, whatever isolation the role has as its default, are no trouble of the store. */
@Timeout(TestWaits.TEST_LIMIT)
@Tag("slow")
class QueueConflictTest {
    private final PGSimpleDataSource dataSource = TestPostgres.newSchema();

    @BeforeEach
    void createTables() {
        QueueSchema.create(dataSource);
    }

    @Test
    void a_role_whose_default_is_serializable_notices_nothing() {
        QueuePgBouncerTest.workOn(Db.asRoleWith(dataSource, "default_transaction_isolation = serializable"), "strict");
    }

    @Test
    void queues_are_changed_at_the_same_time_by_a_role_whose_default_is_serializable() {
        PGSimpleDataSource role = Db.asRoleWith(dataSource, "default_transaction_isolation = serializable");
        try (PostgresQueues one = PostgresQueues.create(role);
                PostgresQueues other = PostgresQueues.create(role)) {
            one.create(QueueConfig.named("changed"));
            List<CompletableFuture<Void>> changes = IntStream.range(0, 8)
                    .mapToObj(i -> CompletableFuture.runAsync(() -> (i % 2 == 0 ? one : other)
                            .update(QueueUpdate.to(
                                    QueueConfig.named("changed").leaseTimeout(Duration.ofSeconds(60 + i))))))
                    .toList();
            changes.forEach(TestWaits::get);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"40001", "40P01"})
    void a_conflict_with_another_transaction_is_tried_again(String sqlState) {
        try (PostgresQueues queues = PostgresQueues.create(dataSource)) {
            queues.create(QueueConfig.named("work"));
            queues.queue("work").produce(NewItem.of("before"));
            Db.failThreeInserts(dataSource, QueueTables.items(QueueHash.of("work"), 0), sqlState);
            assertThat(queues.queue("work").produce(NewItem.of("after")).ids()).hasSize(1);
        }
    }
}
