package dev.leasehold.chaos.fault;

import static dev.leasehold.chaos.fault.TestSite.during;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.chaos.site.Node;
import dev.leasehold.chaos.site.Site;
import dev.leasehold.testkit.TestWaits;
import dev.leasehold.testkit.process.ChildJvm;
import dev.leasehold.testkit.process.ChildJvm.Program;
import dev.leasehold.testkit.proxy.ProxyFaults;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
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
    private TestSite here;
    private Site site;

    @BeforeAll
    void open(@TempDir Path given) throws IOException, SQLException {
        directory = given;
        here = TestSite.open(directory.resolve("site"));
        site = here.site;
        ClockStep.install(site);
        here.execute("create table seen (number int)");
    }

    @AfterAll
    void close() {
        here.close();
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
    void a_killed_server_comes_back_with_what_was_committed() throws Exception {
        long before = count();
        here.execute("insert into seen values (1)");
        during(new KillPostgres(site), () -> assertThatThrownBy(this::count).isInstanceOf(SQLException.class));
        assertThat(count()).isEqualTo(before + 1);
    }

    @Test
    void sessions_are_ended_by_the_server() throws Exception {
        try (Connection victim = here.connect()) {
            during(new TerminateBackends(site), () -> TestWaits.await().until(() -> !victim.isValid(1)));
        }
        assertThat(count()).isNotNegative();
    }

    @Test
    void a_full_server_lets_nobody_in() throws Exception {
        during(
                new FullConnections(site),
                () -> assertThatThrownBy(this::count)
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo("53300")));
        TestWaits.await().ignoreExceptions().until(() -> count() >= 0);
    }

    @Test
    void a_read_only_database_refuses_to_write_and_answers() throws Exception {
        during(
                new ReadOnlyDatabase(site),
                () -> TestWaits.await()
                        .untilAsserted(() -> assertThatThrownBy(() -> here.execute("insert into seen values (1)"))
                                .isInstanceOfSatisfying(
                                        SQLException.class,
                                        e -> assertThat(e.getSQLState()).isEqualTo("25006"))));
        TestWaits.await().ignoreExceptions().until(() -> {
            here.execute("insert into seen values (1)");
            return true;
        });
    }

    @Test
    void a_long_transaction_keeps_dead_rows_from_being_removed() throws Exception {
        here.execute("create table dead (number int)");
        during(new LongTransaction(site), () -> {
            here.execute("insert into dead values (1)");
            here.execute("delete from dead");
            here.execute("vacuum dead");
            assertThat(pages()).isPositive();
        });
        here.execute("vacuum dead");
        assertThat(pages()).isZero();
    }

    @Test
    void a_promoted_standby_has_every_commit_that_was_acknowledged() throws Exception {
        here.execute("insert into seen values (1)");
        long before = count();
        long primary = site.database().postmaster();
        during(new LostPrimary(site, true), () -> {
            assertThat(ProcessHandle.of(primary).filter(ProcessHandle::isAlive)).isEmpty();
            assertThatThrownBy(this::count).isInstanceOf(SQLException.class);
        });
        assertThat(count()).isEqualTo(before);
        here.execute("insert into seen values (1)");
    }

    @Test
    void a_pooler_stands_in_between_and_goes_again() throws Exception {
        assumeTrue(FaultKind.PGBOUNCER.missing().isEmpty(), FaultKind.PGBOUNCER.missing());
        assertThat(isPooled()).isFalse();
        during(new PoolerBetween(site), () -> assertThat(isPooled()).isTrue());
        assertThat(isPooled()).isFalse();
    }

    @Test
    void the_clock_that_statements_see_is_put_forward_and_right_again() throws Exception {
        assertThat(clockOffset()).isBetween(-60L, 60L);
        during(new ClockStep(site, 3600), () -> assertThat(clockOffset()).isBetween(3540L, 3660L));
        assertThat(clockOffset()).isBetween(-60L, 60L);
    }

    @Test
    void a_fault_of_the_network_that_ends_leaves_the_other_as_it_is() throws Exception {
        Fault losses = new NetworkFault(
                site.proxies(), faults -> faults.loseReplies(1), faults -> faults.loseReplies(0), false);
        during(losses, () -> {
            during(new NetworkFault(site.proxies(), ProxyFaults::blackHole, ProxyFaults::endBlackHole, true), () -> {});
            assertThatThrownBy(() -> here.execute("insert into seen values (1)"))
                    .isInstanceOf(SQLException.class);
        });
        here.execute("insert into seen values (1)");
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
        return here.number("select count(*) from seen");
    }

    private long pages() throws SQLException {
        return here.number("select pg_relation_size('dead')");
    }

    /** Whether the backend that answers is another than the one that let us in. */
    private boolean isPooled() throws SQLException {
        try (Connection connection = here.connect()) {
            int pid = Integer.parseInt(TestSite.text(connection, "select pg_backend_pid()"));
            return pid != connection.unwrap(PGConnection.class).getBackendPID();
        }
    }

    private long clockOffset() throws SQLException {
        return here.number("select extract(epoch from clock_timestamp() - pg_catalog.clock_timestamp())::bigint");
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
