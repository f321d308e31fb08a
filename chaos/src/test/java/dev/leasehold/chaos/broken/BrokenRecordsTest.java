package dev.leasehold.chaos.broken;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.check.Checker;
import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.workload.AdminTurns;
import dev.leasehold.postgres.queue.PostgresQueues;
import dev.leasehold.postgres.queue.QueueSchema;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queues that are administered by two nodes at once, with the real engine and without one rule of it. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("long")
class BrokenRecordsTest {
    private static final String RECORDS_LOCK =
            "select pg_advisory_xact_lock(hashtext('leasehold.queues ' || '\"queues\"'::regclass::oid));";

    private final Bench bench = new Bench(Checker.ofSafety());
    private final List<PostgresQueues> nodes = new ArrayList<>();

    @AfterEach
    void close() {
        nodes.forEach(PostgresQueues::close);
    }

    private void administration(UnaryOperator<DataSource> through) {
        DataSource dataSource = TestPostgres.newSchema();
        QueueSchema.create(dataSource);
        for (String name : List.of("one", "other")) {
            PostgresQueues node =
                    PostgresQueues.builder(through.apply(dataSource)).build();
            nodes.add(node);
            AdminTurns.of(name, node, bench.recorder(name), nodes.size())
                    .forEach(turn -> bench.add(random -> turn.run()));
        }
        Runnable race =
                AdminTurns.race(nodes.get(0), bench.recorder("naming"), nodes.get(1), bench.recorder("deleting"));
        bench.add(random -> race.run());
    }

    @Test
    void nothing_is_found_in_the_whole_engine() throws Exception {
        administration(UnaryOperator.identity());
        assertThat(bench.run(Duration.ofSeconds(5))).isEmpty();
        for (Operation operation :
                List.of(Operation.CREATE_QUEUE, Operation.UPDATE_QUEUE, Operation.DELETE_QUEUE, Operation.QUEUES)) {
            assertThat(bench.history().events())
                    .filteredOn(event -> isOk(event, operation))
                    .isNotEmpty();
        }
    }

    private static boolean isOk(Event event, Operation operation) {
        return event.kind() == Kind.OK && event.operation() == operation;
    }

    @Test
    void a_dead_queue_that_is_deleted_while_it_is_being_named_is_found() throws Exception {
        Breakage snapshot = Breakage.of(
                        "changes of records that decide by a snapshot from before they wait",
                        "begin isolation level read committed;",
                        "begin isolation level repeatable read;")
                .where(RECORDS_LOCK);
        Breakage breakage = Breakage.of(
                "changes of records that do not wait for each other, and decide by what was there 200 ms ago",
                RECORDS_LOCK,
                "select pg_sleep(0.2);");
        administration(dataSource -> snapshot.in(breakage.in(dataSource)));
        bench.findsWithinAMinute("DeadQueueStays", breakage);
    }
}
