package dev.leasehold.chaos.broken;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.check.Checker;
import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.Facts;
import dev.leasehold.chaos.history.Kind;
import dev.leasehold.chaos.history.Operation;
import dev.leasehold.chaos.history.Recorder;
import dev.leasehold.postgres.lock.LockSchema;
import dev.leasehold.postgres.lock.PostgresLocks;
import dev.leasehold.testkit.OwnPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commits that are held up past the timeout of their calls: the grants that come of them in the end are given back, or it is found. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("long")
class BrokenGiveBackTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    /** Longer than the timeout of the call, and than the engine looks a second time after that. */
    private static final Duration STALL = Duration.ofSeconds(5);

    /** The engine takes a second; the rest is for a machine that is busy with other things. It is much less than the ttl. */
    private static final Duration BOUND = Duration.ofSeconds(12);

    private final Bench bench = new Bench(Checker.ofSafety().orphansFreedWithin(BOUND, Duration.ZERO));
    private final LockWorkers workers = new LockWorkers(bench);
    private final List<PostgresLocks> nodes = new ArrayList<>();
    private OwnPostgres server;

    @BeforeEach
    void start() {
        server = OwnPostgres.start();
    }

    @AfterEach
    void stop() {
        nodes.forEach(PostgresLocks::close);
        server.close();
    }

    private void churn(UnaryOperator<DataSource> through) {
        DataSource tables = server.newSchema();
        LockSchema.create(tables);
        for (String name : List.of("a", "b")) {
            PostgresLocks node = PostgresLocks.builder(through.apply(tables))
                    .timeout(TIMEOUT)
                    .build();
            nodes.add(node);
            workers.churns(name, node, Duration.ZERO, 20);
        }
    }

    /** Works while commits wait for a standby that is not there, which is a fault of the history. */
    private void stall() throws Exception {
        Recorder.Call fault =
                bench.recorder("harness").invoke("harness", Operation.FAULT, "stalled-commit", Facts.NONE);
        standby("'nobody'");
        bench.run(STALL);
        standby("''");
        fault.ok();
        assertThat(bench.history().events()).anyMatch(BrokenGiveBackTest::isUnknown);
    }

    private static boolean isUnknown(Event event) {
        return event.operation() == Operation.ACQUIRE && event.kind() == Kind.UNKNOWN;
    }

    private void standby(String name) throws SQLException {
        try (Connection connection = server.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("alter system set synchronous_standby_names = " + name);
            statement.execute("select pg_reload_conf()");
        }
    }

    @Test
    void nothing_is_found_where_the_whole_engine_has_its_commits_held_up() throws Exception {
        churn(UnaryOperator.identity());
        stall();
        assertThat(bench.run(BOUND.plusSeconds(3))).isEmpty();
    }

    @Test
    void an_engine_that_does_not_wait_for_the_end_of_an_acquire_of_unknown_outcome_is_found() throws Exception {
        Breakage breakage = Breakage.of(
                "no look at the advisory lock",
                "where pg_try_advisory_xact_lock(hashtext(w.key)::bigint)",
                "where true");
        churn(breakage::in);
        stall();
        bench.findsWithinAMinute("NoOrphan", breakage);
    }
}
