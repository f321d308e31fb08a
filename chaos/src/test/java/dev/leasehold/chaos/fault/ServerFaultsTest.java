package dev.leasehold.chaos.fault;

import static dev.leasehold.chaos.fault.TestSite.during;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.chaos.site.Site;
import dev.leasehold.postgres.queue.PostgresQueues;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.testkit.TestWaits;
import dev.leasehold.testkit.process.ChildJvm;
import dev.leasehold.testkit.process.ChildJvm.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each fault inside of PostgreSQL does what it says, and when it ends all is well again, after a restart too. */
@Timeout(5 * TestWaits.TEST_LIMIT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class ServerFaultsTest {
    private static final String INSERT = "insert into seen values (1)";
    private static final String LOCKS =
            "insert into syncguard_locks (key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key)"
                    + " select g, g, 0, 0, '', repeat('x', 1000) from generate_series(1, 100) as g";

    private Path directory;
    private TestSite here;
    private Site site;

    @BeforeAll
    void open(@TempDir Path given) throws IOException, SQLException {
        directory = given;
        here = TestSite.open(directory.resolve("site"));
        site = here.site;
        here.execute("create table seen (number int)");
        for (String database : List.of(Site.FIRST, Site.SECOND)) {
            try (PostgresQueues queues = PostgresQueues.builder(site.direct(database))
                    .timeout(TestWaits.LIMIT)
                    .build()) {
                queues.create(QueueConfig.named("work"));
                queues.queue("work").produce(NewItem.of("something"));
            }
        }
    }

    @AfterAll
    void close() {
        here.close();
    }

    @Test
    void a_commit_that_stalls_goes_on_when_it_is_over() throws Exception {
        AtomicBoolean isEnough = new AtomicBoolean();
        CompletableFuture<Void> inserting = CompletableFuture.runAsync(() -> insertUntil(isEnough));
        during(new StalledCommit(site), () -> {
            TestWaits.await()
                    .until(() -> ask("select count(*) from pg_stat_activity where wait_event = 'SyncRep'")
                            .equals("1"));
            isEnough.set(true);
            assertThat(inserting).isNotDone();
        });
        TestWaits.get(inserting);
        here.execute(INSERT);
    }

    private void insertUntil(AtomicBoolean isEnough) {
        try {
            while (!isEnough.get()) {
                here.execute(INSERT);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_role_has_other_defaults_and_sessions_come_back_with_them() throws Exception {
        Map<String, String> before = defaults();
        try (Connection victim = here.connect()) {
            during(new RoleDefaults(site), () -> {
                TestWaits.await().until(() -> !victim.isValid(1));
                assertThat(defaults()).isEqualTo(RoleDefaults.DEFAULTS);
            });
        }
        assertThat(defaults()).isEqualTo(before);
    }

    private Map<String, String> defaults() throws SQLException {
        Map<String, String> found = new TreeMap<>();
        for (String name : RoleDefaults.DEFAULTS.keySet()) {
            found.put(name, here.text("show " + name));
        }
        return found;
    }

    @Test
    void tables_of_locks_and_of_items_are_locked_now_and_then() throws Exception {
        during(new DdlLocks(site), () -> {
            awaitExclusive(Site.FIRST, "syncguard\\_%");
            awaitExclusive(Site.FIRST, "items\\_%");
            awaitExclusive(Site.SECOND, "items\\_%");
        });
        assertThat(ask("select count(*) from pg_locks where mode = 'AccessExclusiveLock'"))
                .isEqualTo("0");
    }

    @Test
    void tables_of_queues_that_come_and_go_are_met_by_faults_but_do_not_push_out_the_others() {
        String work = "select 'items_' || hash || '_0' from queues where name = 'work'";
        List<String> before = site.database().ask(Site.FIRST, Tables.OF_ITEMS);
        try (PostgresQueues queues = PostgresQueues.create(site.direct(Site.FIRST))) {
            for (int i = 0; i < 20; i++) {
                queues.create(QueueConfig.named("t-admin-1-" + i));
                queues.queue("t-admin-1-" + i).produce(NewItem.of("something"));
            }
            assertThat(site.database().ask(Site.FIRST, Tables.OF_ITEMS))
                    .hasSizeGreaterThan(before.size())
                    .anySatisfy(table -> assertThat(
                                    site.database().ask(Site.FIRST, work).get(0))
                            .isEqualTo(table.replace("\"", "")));
            for (int i = 0; i < 20; i++) {
                queues.delete("t-admin-1-" + i);
            }
        }
    }

    private void awaitExclusive(String database, String table) {
        String query = "select count(*) from pg_locks l join pg_class c on c.oid = l.relation"
                + " where l.granted and l.mode = 'AccessExclusiveLock' and c.relname like '" + table + "'";
        TestWaits.await().until(() -> site.database().ask(database, query).contains("1"));
    }

    @Test
    void the_backend_of_a_session_stands_still_and_goes_on() throws Exception {
        try (Connection victim = here.connect()) {
            long pid = onlyBackend(victim);
            StoppedBackend fault = new StoppedBackend(site);
            during(fault, () -> {
                assertThat(fault.backend()).isEqualTo(pid);
                TestWaits.await().until(() -> ProcStat.state(pid) == 'T');
            });
            assertThat(TestSite.text(victim, "select 1")).isEqualTo("1");
        }
    }

    @Test
    void a_backend_goes_on_when_the_harness_that_stopped_it_is_killed() throws Exception {
        try (Connection victim = here.connect()) {
            long pid = onlyBackend(victim);
            Program program = Program.of(Stopper.class, Long.toString(pid));
            try (ChildJvm harness = ChildJvm.start(program, directory.resolve("stopper.log"))) {
                harness.awaitOutput(Pattern.compile("stopped"), Duration.ofSeconds(30));
                TestWaits.await().until(() -> ProcStat.state(pid) == 'T');
                harness.kill();
            }
            assertThat(TestSite.text(victim, "select 1")).isEqualTo("1");
        }
    }

    /** Those of other tests may need a moment to end. */
    private long onlyBackend(Connection session) throws SQLException {
        long pid = Long.parseLong(TestSite.text(session, "select pg_backend_pid()"));
        TestWaits.await().until(() -> Sessions.backends(site).equals(List.of(pid)));
        return pid;
    }

    @Test
    void nobody_gets_a_lock_while_the_table_of_locks_is_full() throws Exception {
        try (Connection session = here.connect()) {
            during(new FullLocks(site), () -> awaitRefusal("53200", () -> execute(session, INSERT)));
            execute(session, INSERT);
        }
    }

    @Test
    void nobody_can_notify_while_the_queue_of_notifications_is_full() throws Exception {
        assumeTrue(FullNotifyQueue.missing().isEmpty(), FullNotifyQueue.missing());
        String notify = "select pg_notify('somebody', 'something')";
        during(new FullNotifyQueue(site), () -> awaitRefusal("54000", () -> here.execute(notify)));
        here.execute(notify);
    }

    @Test
    void tables_cannot_grow_on_a_full_disk_and_small_ones_can_be_written() throws Exception {
        assumeTrue(FullDisk.missing().isEmpty(), FullDisk.missing());
        String items = ask("select oid::regclass from pg_class where relkind = 'r' and relname like 'items\\_%'");
        String grow = "insert into " + items + " (enqueue_at, expire_deadline, created_at, reference)"
                + " select 'infinity', now(), now(), repeat('x', 1000) from generate_series(1, 100)";
        try (Connection old = here.connect()) {
            during(new FullDisk(site), () -> {
                assertThatThrownBy(() -> execute(old, grow)).hasMessageContaining("could not extend file");
                assertThatThrownBy(() -> execute(old, LOCKS)).hasMessageContaining("could not extend file");
                execute(old, INSERT);
                try (Connection fresh = here.connect()) {
                    TestWaits.await()
                            .untilAsserted(() -> assertThatThrownBy(() -> execute(fresh, grow))
                                    .hasMessageContaining("could not extend file"));
                }
            });
            execute(old, grow);
            execute(old, "delete from " + items + " where enqueue_at = 'infinity'");
        }
    }

    @ParameterizedTest
    @EnumSource(
            names = {"STALLED_COMMIT", "ROLE_DEFAULTS", "DDL_LOCKS", "FULL_LOCKS", "FULL_NOTIFY_QUEUE", "FULL_DISK"})
    void what_a_fault_has_changed_is_put_back_although_the_server_was_restarted(FaultKind kind) throws Exception {
        assumeTrue(kind.missing().isEmpty(), kind.missing());
        Map<String, String> before = defaults();
        during(kind.on(site), () -> during(new KillPostgres(site), () -> {}));
        here.execute(INSERT, "select pg_notify('somebody', 'something')");
        assertThat(defaults()).isEqualTo(before);
    }

    @Test
    void a_backend_that_stands_still_goes_on_and_ends_when_its_server_was_killed() throws Exception {
        try (Connection victim = here.connect()) {
            long pid = onlyBackend(victim);
            Fault server = new KillPostgres(site);
            during(new StoppedBackend(site), server::begin);
            TestWaits.await().until(() -> ProcessHandle.of(pid).isEmpty());
            server.end();
        }
        here.execute(INSERT);
    }

    private static void awaitRefusal(String state, ThrowingCallable call) {
        TestWaits.await()
                .untilAsserted(() -> assertThatThrownBy(call)
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo(state)));
    }

    private String ask(String query) {
        return site.database().ask(Site.FIRST, query).get(0);
    }

    private static void execute(Connection session, String sql) throws SQLException {
        try (Statement statement = session.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Stops a backend and does nothing more. */
    static final class Stopper {
        public static void main(String[] args) throws InterruptedException {
            StoppedBackend.stop(Long.parseLong(args[0]));
            System.out.println("stopped");
            Thread.sleep(Duration.ofMinutes(10).toMillis());
        }
    }
}
