package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.postgres.internal.BatchedStatement;
import dev.leasehold.postgres.internal.PendingCall;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.RetryItem;
import dev.leasehold.queue.spi.ItemStore.Discarded;
import dev.leasehold.queue.spi.ItemStore.ReadyListener;
import dev.leasehold.queue.spi.ItemStore.Retried;
import dev.leasehold.queue.spi.ItemStore.Swept;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.testkit.TestWaits;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a call has done is counted, although its caller had been told by then that it failed. */
@Timeout(TestWaits.TEST_LIMIT)
class LateAnswerTest {
    private final BareEngine engine = new BareEngine();
    private final PartitionRef work =
            engine.create(QueueConfig.named("work").maxAttempts(1).leaseTimeout(Duration.ofMillis(1)));
    private final List<Swept> late = new ArrayList<>();

    LateAnswerTest() {
        engine.store.subscribe(new ReadyListener() {
            @Override
            public void onReady(long uid, int partition) {}

            @Override
            public void onLateResult(PartitionRef partition, @Nullable PartitionRef dead, Swept done) {
                assertThat(partition).isEqualTo(work);
                assertThat(dead).isNull();
                late.add(done);
            }
        });
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private static PendingCall<List<RetryItem>, Retried> retry(RetryStatement kind, ItemId id) {
        return new PendingCall<>(kind, List.of(RetryItem.dead(id)));
    }

    /** Has the database answer the calls after these have failed. */
    private <Q, R> void answerAfterFailing(
            BatchedStatement<Q, R> kind, List<PendingCall<Q, R>> group, List<PendingCall<Q, R>> failed)
            throws SQLException {
        try (Connection connection = engine.dataSource.getConnection();
                PreparedStatement statement = kind.sql(group).prepare(connection, kind.values(group));
                ResultSet rows = statement.executeQuery()) {
            failed.forEach(call -> call.fail(QueueFailures.INSTANCE.closed()));
            kind.answer(rows, group, new ArrayList<>());
        }
    }

    @Test
    void what_a_group_did_is_told_to_the_first_whose_caller_still_waits() throws SQLException {
        List<ItemId> ids = engine.leased(work, 3);
        RetryStatement kind = engine.calls(work).retry(null);
        List<PendingCall<List<RetryItem>, Retried>> group =
                ids.stream().map(id -> retry(kind, id)).toList();
        answerAfterFailing(kind, group, group.subList(0, 1));
        assertThat(group.get(1).result().join().discarded()).isEqualTo(new Discarded(0, 0, 3));
        assertThat(group.get(2).result().join().discarded()).isEqualTo(Discarded.NOTHING);
        assertThat(late).isEmpty();
    }

    @Test
    void if_nobody_waits_any_more_the_node_hears_of_it() throws SQLException {
        List<ItemId> ids = engine.leased(work, 2);
        RetryStatement kind = engine.calls(work).retry(null);
        List<PendingCall<List<RetryItem>, Retried>> group =
                ids.stream().map(id -> retry(kind, id)).toList();
        answerAfterFailing(kind, group, group);
        assertThat(late).containsExactly(new Swept(0, 0, new Discarded(0, 0, 2), null));
    }

    @Test
    void the_same_goes_for_a_sweep() throws SQLException {
        engine.leased(work, 2);
        TestWaits.await().until(() -> engine.count(work, "lease_deadline < clock_timestamp()") == 2);
        PartitionStatements calls = engine.calls(work);
        UnbatchedStatement<Swept> kind = engine.store.sweepCall(calls, work, null);
        var call = new PendingCall<>(kind, PostgresItemStore.sweepValues(work, null));
        answerAfterFailing(kind, List.of(call), List.of(call));
        assertThat(late).extracting(Swept::discarded).containsExactly(new Discarded(0, 2, 0));
    }
}
