package dev.leasehold.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.chaos.site.Node;
import dev.leasehold.chaos.site.Site;
import dev.leasehold.testkit.OwnPostgres;
import dev.leasehold.testkit.TestWaits;
import dev.leasehold.testkit.process.ChildJvm;
import dev.leasehold.testkit.process.ChildJvm.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

/** Each fault does what it says, and when it ends all is well again. */
@Timeout(5 * TestWaits.TEST_LIMIT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class FaultsTest {
    private Path directory;
    private Site site;

    @BeforeAll
    void open(@TempDir Path given) throws IOException, SQLException {
        directory = given;
        OwnPostgres.dataDirectory(directory.resolve("site/postgres"));
        site = Site.open(directory.resolve("site"), 1);
        ClockStep.install(site);
        execute("create table seen (number int)");
    }

    @AfterAll
    void close() {
        site.close();
    }

    @Test
    void a_paused_jvm_does_nothing_and_then_goes_on() {
        try (Node node = ticking()) {
            Fault fault = new PauseNode(node);
            fault.begin();
            TestWaits.await().until(() -> stateOf(node) == 'T');
            String before = node.jvm().output();
            fault.end();
            TestWaits.await().until(() -> node.jvm().output().length() > before.length());
        }
    }

    @Test
    void a_killed_jvm_is_replaced_by_another() {
        try (Node node = ticking()) {
            long pid = node.jvm().pid();
            Fault fault = new KillNode(node);
            fault.begin();
            assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
            fault.end();
            assertThat(node.jvm().isAlive()).isTrue();
            assertThat(node.incarnations()).containsExactly("ticker.1", "ticker.2");
        }
    }

    @Test
    void a_wrong_clock_is_wrong_by_hours() {
        assumeTrue(WrongClock.library().isPresent(), "libfaketime is not installed");
        try (Node node = ticking()) {
            Fault fault = new WrongClock(node, -5);
            fault.begin();
            TestWaits.await().until(() -> node.jvm().output().contains("now "));
            assertThat(wallClock(node))
                    .isBetween(System.currentTimeMillis() - 18_060_000, System.currentTimeMillis() - 17_940_000);
            fault.end();
        }
    }

    @Test
    void a_killed_server_comes_back_with_what_was_committed() throws SQLException {
        long before = count();
        execute("insert into seen values (1)");
        during(new KillPostgres(site), () -> assertThatThrownBy(this::count).isInstanceOf(SQLException.class));
        assertThat(count()).isEqualTo(before + 1);
    }

    @Test
    void sessions_are_ended_by_the_server() throws SQLException {
        try (Connection victim = site.urls().firstSource().getConnection()) {
            during(new TerminateBackends(site), () -> TestWaits.await().until(() -> !victim.isValid(1)));
        }
        assertThat(count()).isNotNegative();
    }

    @Test
    void a_full_server_lets_nobody_in() throws SQLException {
        during(
                new FullConnections(site),
                () -> assertThatThrownBy(this::count)
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo("53300")));
        TestWaits.await().ignoreExceptions().until(() -> count() >= 0);
    }

    @Test
    void a_read_only_database_refuses_to_write_and_answers() throws SQLException {
        during(
                new ReadOnlyDatabase(site),
                () -> TestWaits.await()
                        .untilAsserted(() -> assertThatThrownBy(() -> execute("insert into seen values (1)"))
                                .isInstanceOfSatisfying(
                                        SQLException.class,
                                        e -> assertThat(e.getSQLState()).isEqualTo("25006"))));
        TestWaits.await().ignoreExceptions().until(() -> {
            execute("insert into seen values (1)");
            return true;
        });
    }

    @Test
    void a_long_transaction_keeps_dead_rows_from_being_removed() throws SQLException {
        execute("create table dead (number int)");
        during(new LongTransaction(site), () -> {
            execute("insert into dead values (1)");
            execute("delete from dead");
            execute("vacuum dead");
            assertThat(pages()).isPositive();
        });
        execute("vacuum dead");
        assertThat(pages()).isZero();
    }

    @Test
    void a_promoted_standby_has_every_commit_that_was_acknowledged() throws SQLException {
        execute("insert into seen values (1)");
        long before = count();
        long primary = site.database().postmaster();
        during(new LostPrimary(site, true), () -> {
            assertThat(ProcessHandle.of(primary).filter(ProcessHandle::isAlive)).isEmpty();
            assertThatThrownBy(this::count).isInstanceOf(SQLException.class);
        });
        assertThat(count()).isEqualTo(before);
        execute("insert into seen values (1)");
    }

    @Test
    void a_pooler_stands_in_between_and_goes_again() throws SQLException {
        assumeTrue(FaultKind.PGBOUNCER.missing().isEmpty(), FaultKind.PGBOUNCER.missing());
        assertThat(isPooled()).isFalse();
        during(new PoolerBetween(site), () -> assertThat(isPooled()).isTrue());
        assertThat(isPooled()).isFalse();
    }

    @Test
    void the_clock_that_statements_see_is_put_forward_and_right_again() throws SQLException {
        assertThat(clockOffset()).isBetween(-60L, 60L);
        during(new ClockStep(site, 3600), () -> assertThat(clockOffset()).isBetween(3540L, 3660L));
        assertThat(clockOffset()).isBetween(-60L, 60L);
    }

    @Test
    void every_kind_has_a_name_and_is_found_by_it() {
        for (FaultKind kind : FaultKind.values()) {
            assertThat(FaultKind.of(kind.text())).isSameAs(kind);
        }
        assertThatThrownBy(() -> FaultKind.of("kill-everything")).hasMessageContaining("there are pause-client");
    }

    private Node ticking() {
        Node node = new Node(
                "ticker",
                (incarnation, environment) -> ChildJvm.start(
                        Program.of(Ticker.class).environment(environment),
                        directory.resolve(incarnation + System.nanoTime())));
        node.jvm().awaitOutput(Pattern.compile("now "), Duration.ofSeconds(30));
        return node;
    }

    private static long wallClock(Node node) {
        String[] words = node.jvm().output().split("\\s+", -1);
        return Long.parseLong(words[1]);
    }

    private static char stateOf(Node node) {
        return ProcStat.state(node.jvm().pid());
    }

    private long count() throws SQLException {
        return number("select count(*) from seen");
    }

    private long pages() throws SQLException {
        return number("select pg_relation_size('dead')");
    }

    /** Whether the backend that answers is another than the one that let us in. */
    private boolean isPooled() throws SQLException {
        try (Connection connection = site.urls().firstSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
            row.next();
            return row.getInt(1) != connection.unwrap(PGConnection.class).getBackendPID();
        }
    }

    private interface Check {
        void run() throws SQLException;
    }

    /** A fault always ends, or the other tests would meet it. */
    private static void during(Fault fault, Check check) throws SQLException {
        fault.begin();
        try {
            check.run();
        } finally {
            fault.end();
        }
    }

    private long clockOffset() throws SQLException {
        return number("select extract(epoch from clock_timestamp() - pg_catalog.clock_timestamp())::bigint");
    }

    private long number(String query) throws SQLException {
        try (Connection connection = site.urls().firstSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = site.urls().firstSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Tells the time, for ever. */
    static final class Ticker {
        public static void main(String[] args) throws InterruptedException {
            while (true) {
                System.out.println("now " + System.currentTimeMillis());
                Thread.sleep(20);
            }
        }
    }
}
