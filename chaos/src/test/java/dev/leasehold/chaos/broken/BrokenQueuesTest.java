package dev.leasehold.chaos.broken;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.check.Checker;
import dev.leasehold.chaos.check.Violation;
import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.postgres.queue.PostgresQueues;
import dev.leasehold.postgres.queue.QueueSchema;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The real engine with one rule of its statements taken away: the checker finds it, and finds nothing in the whole one. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("long")
class BrokenQueuesTest {
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final Duration SHORT_BOUND = Duration.ofSeconds(3);
    private static final Duration BRIEFLY = Duration.ofMillis(50);

    private static final Breakage KEEPS_ITS_ID = Breakage.of(
            "an item that is given back keeps its id",
            "given_back = (i.given_back + 1) % 65536",
            "given_back = i.given_back");

    private Bench bench = new Bench(Checker.ofSafety().servingWithin(BOUND, Duration.ZERO));
    private QueueWorkers workers = new QueueWorkers(bench);
    private final List<PostgresQueues> nodes = new ArrayList<>();
    private DataSource dataSource;

    @BeforeEach
    void createTables() {
        dataSource = TestPostgres.newSchema();
        QueueSchema.create(dataSource);
    }

    @AfterEach
    void close() {
        nodes.forEach(PostgresQueues::close);
    }

    private PostgresQueues node(UnaryOperator<DataSource> through, Duration lookInterval) {
        PostgresQueues node = PostgresQueues.builder(through.apply(dataSource))
                .options(o -> o.lookInterval(lookInterval))
                .build();
        nodes.add(node);
        return node;
    }

    private void pipeline(UnaryOperator<DataSource> through) {
        PostgresQueues one = node(through, Duration.ofSeconds(1));
        PostgresQueues other = node(through, Duration.ofSeconds(1));
        workers.create(one);
        workers.produces("producer", one, 300);
        for (String name : List.of("a", "b", "c", "d", "e", "f")) {
            workers.consumes(name, name.equals("a") ? one : other, BRIEFLY);
        }
        workers.looksAtTheEnd(other);
    }

    /** Consumers of another node than the producer, who rely on being woken. */
    private void waiting(UnaryOperator<DataSource> through) {
        bench = new Bench(Checker.ofSafety().servingWithin(SHORT_BOUND, Duration.ZERO));
        workers = new QueueWorkers(bench);
        PostgresQueues one = node(through, Duration.ofMinutes(1));
        workers.create(one);
        workers.produces("producer", one, 2000);
        workers.consumes("a", node(through, Duration.ofMinutes(1)), Duration.ofSeconds(5));
    }

    @Test
    void nothing_is_found_in_the_whole_engine() throws Exception {
        pipeline(UnaryOperator.identity());
        assertThat(bench.run(Duration.ofSeconds(5))).isEmpty();
        assertThat(bench.history().events()).filteredOn(this::isComplete).hasSizeGreaterThan(5);
    }

    private boolean isComplete(Event event) {
        return event.kind() == Kind.OK && event.operation() == Operation.COMPLETE;
    }

    static Stream<Arguments> breakages() {
        return Stream.of(
                Arguments.of(
                        "SettledUnderLease",
                        Breakage.of(
                                        "completion without the lease check",
                                        "and i.is_leased::int = 1\n    and i.given_back = (",
                                        "and 0 <= (")
                                .where("done as (\n  delete from")),
                Arguments.of(
                        "LeasedToOne",
                        Breakage.of(
                                "an expired lease keeps its id",
                                "id = (select new_ids[width_bucket(i.id, ids)] from sorted)",
                                "id = i.id")),
                Arguments.of("LeasedToOne", KEEPS_ITS_ID),
                Arguments.of(
                        "LeasedToOne",
                        Breakage.of(
                                "expiry from a stale now()",
                                "lease_deadline = (select now from q) +",
                                "lease_deadline = (select now from q) - interval '600 milliseconds' +")),
                Arguments.of(
                        "AttemptsExact",
                        Breakage.of("attempts that do not count", "attempts = i.attempts + 1", "attempts = 1")),
                Arguments.of(
                        "PartitionOrder",
                        Breakage.of("lease from the tail", "order by r.id\n", "order by r.id desc\n")),
                Arguments.of(
                        "NothingLost",
                        Breakage.of(
                                "dead letters that do not arrive",
                                "from gone g\ncross join q\n",
                                "from gone g\ncross join q\nwhere false\n")));
    }

    @ParameterizedTest
    @MethodSource("breakages")
    void a_broken_engine_is_found(String invariant, Breakage breakage) throws Exception {
        pipeline(breakage::in);
        bench.findsWithinAMinute(invariant, breakage);
    }

    /** And not only because an id is seen twice: by an item that was taken from its consumer. */
    @Test
    void a_give_back_that_is_repeated_is_found_by_the_lease_that_it_ends() throws Exception {
        pipeline(KEEPS_ITS_ID::in);
        bench.findsWithinAMinute("LeasedToOne", " had it", KEEPS_ITS_ID);
    }

    @Test
    void whoever_waits_at_the_whole_engine_is_served_in_time() {
        TestWaits.inSeveralTries(i -> {
            createTables();
            waiting(UnaryOperator.identity());
            assertThat(violations()).isEmpty();
        });
    }

    private List<Violation> violations() {
        try {
            return bench.run(Duration.ofSeconds(4));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void an_engine_that_loses_wake_ups_is_found() throws Exception {
        Breakage breakage = Breakage.of("lost wake-up", "select pg_notify(?, ?)", "select ?::text || ?::text");
        waiting(breakage::in);
        bench.findsWithinAMinute("ServedInTime", breakage);
    }
}
