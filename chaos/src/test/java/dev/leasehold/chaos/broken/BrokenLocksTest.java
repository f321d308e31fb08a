package dev.leasehold.chaos.broken;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.chaos.check.Checker;
import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.postgres.lock.LockSchema;
import dev.leasehold.postgres.lock.PostgresLocks;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The real engine with one rule of its statements taken away: the checker finds it, and finds nothing in the whole one. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("long")
class BrokenLocksTest {
    private static final Duration SHORT = Duration.ofSeconds(2);

    /** In the whole engine nobody waits for long; the bound is for a machine that is busy with other things. */
    private static final Duration WAIT = Duration.ofMinutes(1);

    private static final Duration BOUND = Duration.ofSeconds(20);

    /** Each has the advisory lock of the key for some milliseconds, and the next waits already. */
    private static final int CROWD = 16;

    /** A time that stands still for four seconds: as old as a now() that was asked for at the start of something long. */
    private static final Breakage STALE_NOW = Breakage.of(
            "expiry from a stale now()",
            "extract(epoch from clock_timestamp())",
            "(floor(extract(epoch from clock_timestamp()) / 4) * 4)");

    private Bench bench = new Bench(Checker.ofSafety().servingWithin(BOUND, Duration.ZERO));
    private LockWorkers workers = new LockWorkers(bench);
    private final Deque<AutoCloseable> closing = new ArrayDeque<>();
    private DataSource dataSource;

    @BeforeEach
    void createTables() {
        dataSource = TestPostgres.newSchema();
        LockSchema.create(dataSource);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : closing) {
            one.close();
        }
    }

    /** A node whose waiters rely on wake-ups. */
    private PostgresLocks node(UnaryOperator<DataSource> through) {
        PostgresLocks node = PostgresLocks.builder(through.apply(dataSource))
                .options(o -> o.pollInterval(Duration.ofMinutes(5)))
                .build();
        closing.add(node);
        return node;
    }

    private void churn(UnaryOperator<DataSource> through) {
        workers.churns("a", node(through), WAIT, 5);
        workers.churns("b", node(through), WAIT, 5);
    }

    private void mix(UnaryOperator<DataSource> through) {
        workers.churns("a", node(through), Duration.ZERO, 30);
        workers.otherClient("b", dataSource);
    }

    /** No call may fail beside so many others: it waits for its turn. */
    private void crowd(UnaryOperator<DataSource> through, Duration timeout) {
        bench = new Bench(Checker.ofSafety().answeringWhenCalm(Duration.ZERO));
        workers = new LockWorkers(bench);
        PostgresLocks node = PostgresLocks.builder(through.apply(dataSource))
                .timeout(timeout)
                .build();
        closing.add(node);
        workers.extendsOnly("a", node);
        workers.crowd(CROWD, pool());
    }

    /** So that nobody is late because of a new connection. */
    private DataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(dataSource);
        config.setMaximumPoolSize(CROWD);
        config.setConnectionTimeout(TestWaits.LIMIT.toMillis());
        HikariDataSource created = new HikariDataSource(config);
        closing.add(created);
        return created;
    }

    private void guard(UnaryOperator<DataSource> through, boolean slowCommit) {
        for (String name : List.of("a", "b", "c")) {
            workers.guards(name, node(through), through.apply(dataSource), slowCommit);
        }
    }

    @Test
    void nothing_is_found_in_the_whole_engine() throws Exception {
        churn(UnaryOperator.identity());
        assertThat(bench.run(SHORT)).isEmpty();
        assertThat(bench.history().events()).filteredOn(this::isGrant).hasSizeGreaterThan(5);
    }

    @Test
    void nothing_is_found_where_the_whole_engine_meets_another_client() throws Exception {
        mix(UnaryOperator.identity());
        assertThat(bench.run(SHORT)).isEmpty();
        assertThat(bench.history().events()).filteredOn(this::isGrant).hasSizeGreaterThan(5);
    }

    @Test
    void nothing_is_found_where_the_whole_engine_is_overrun() throws Exception {
        guard(UnaryOperator.identity(), true);
        workers.guards("d", node(UnaryOperator.identity()), dataSource, false);
        assertThat(bench.run(Duration.ofSeconds(10))).isEmpty(); // every other turn takes 1.3 s
        assertThat(bench.history().events()).filteredOn(this::isGrant).hasSizeGreaterThan(5);
    }

    @Test
    void nothing_is_found_where_the_whole_engine_meets_a_crowd_of_other_clients() throws Exception {
        crowd(UnaryOperator.identity(), BOUND); // much longer than a turn of all others takes
        assertThat(bench.run(SHORT)).isEmpty();
        assertThat(bench.history().events())
                .anyMatch(event -> event.operation() == Operation.EXTEND && event.kind() == Kind.OK);
    }

    private boolean isGrant(Event event) {
        return event.kind() == Kind.OK && event.facts().fence() != null;
    }

    @Test
    void an_engine_without_the_advisory_lock_is_found() throws Exception {
        Breakage breakage =
                Breakage.of("no advisory lock", "and pg_try_advisory_xact_lock(hashtext(key)::bigint)", "and true");
        mix(breakage::in);
        bench.findsWithinAMinute("OneHolder", breakage);
    }

    @Test
    void an_engine_whose_fences_do_not_grow_is_found() throws Exception {
        Breakage breakage = Breakage.of("no fence increment", "set fence = f.fence + 1", "set fence = f.fence");
        churn(breakage::in);
        bench.findsWithinAMinute("FencesGrow", breakage);
    }

    @Test
    void a_guard_that_asks_for_nothing_is_found() throws Exception {
        Breakage breakage = Breakage.of(
                "no guard", "and l.lock_id = ?\n  for key share", "and ?::text is not null\n  for key share");
        guard(breakage::in, false);
        bench.findsWithinAMinute("NoStaleCommit", breakage);
    }

    @Test
    void a_guard_that_holds_nothing_is_found() throws Exception {
        Breakage breakage = Breakage.of("a guard without a row lock", "\n  for key share", "");
        guard(breakage::in, true);
        bench.findsWithinAMinute("NoStaleCommit", breakage);
    }

    @Test
    void an_engine_with_a_stale_clock_is_found() throws Exception {
        workers.letsLapse("a", node(STALE_NOW::in), Duration.ofMillis(1900));
        workers.churns("b", node(UnaryOperator.identity()), Duration.ZERO, 5);
        bench.findsWithinAMinute("OneHolder", STALE_NOW);
    }

    @Test
    void an_engine_that_loses_wake_ups_is_found() throws Exception {
        Breakage breakage = Breakage.of("lost wake-up", "count(pg_notify(?, payload))", "count(?::text || payload)");
        bench = new Bench(Checker.ofSafety().servingWithin(Duration.ofSeconds(3), Duration.ZERO));
        workers = new LockWorkers(bench);
        workers.churns("a", node(breakage::in), Duration.ofSeconds(5), 300);
        workers.churns("b", node(breakage::in), Duration.ofSeconds(5), 300);
        bench.findsWithinAMinute("ServedInTime", breakage);
    }

    @Test
    void an_engine_that_only_tries_the_advisory_lock_and_never_waits_in_turn_is_found() throws Exception {
        Breakage breakage =
                Breakage.of("no turn", "count(pg_advisory_xact_lock(hash))", "count(pg_try_advisory_xact_lock(hash))");
        crowd(breakage::in, Duration.ofSeconds(5));
        bench.run(Duration.ofSeconds(12)); // without a pause of the crowd, in which a try would succeed
        bench.findsWithinAMinute("AnsweredWhenCalm", breakage);
    }
}
