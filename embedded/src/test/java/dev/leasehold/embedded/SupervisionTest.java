package dev.leasehold.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

@Tag("slow")
@Timeout(300)
class SupervisionTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    Path temporary;

    private Path cluster;
    private EmbeddedPostgres postgres;

    @BeforeEach
    void supervised() throws Exception {
        Path directory = Scratch.withDatabase(temporary.resolve("data of ours"));
        cluster = directory.toRealPath().resolve("database/data");
        postgres = EmbeddedPostgres.start(directory, 0).supervise();
    }

    @AfterEach
    void close() {
        postgres.close();
    }

    @Test
    void a_killed_server_is_restarted_on_its_port_with_what_was_committed() throws Exception {
        execute("create table kept as select 7 as id");
        long killed = kill();

        awaitAnswer("select id from kept", "7");
        assertThat(postmaster()).isNotEqualTo(killed);
        Awaitility.await().atMost(PATIENCE).until(() -> !postgres.isRestarting());
    }

    @Test
    void it_is_restarted_each_time() throws Exception {
        for (int time = 0; time < 3; time++) {
            kill();
            awaitAnswer("select 1", "1");
        }
    }

    /** A backend that computes does not look whether its postmaster lives, and no server starts beside it. */
    @Test
    void a_busy_backend_that_the_dead_server_has_left_does_not_prevent_the_restart() throws Exception {
        try (Connection busy = connect()) {
            long backend = busy.unwrap(PGConnection.class).getBackendPID();
            CompletableFuture<Void> loop = CompletableFuture.runAsync(() -> {
                try (Statement statement = busy.createStatement()) {
                    statement.execute("do $$ begin loop end loop; end $$");
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> "active"
                            .equals(ask("select state from pg_stat_activity where query like 'do %' and pid = "
                                    + backend)));
            kill();
            awaitAnswer("select 1", "1");
            assertThat(loop).failsWithin(PATIENCE);
        }
    }

    @Test
    void a_server_that_cannot_start_is_tried_again_until_it_can() throws Exception {
        Path version = cluster.resolve("PG_VERSION");
        Files.move(version, version.resolveSibling("aside")); // as good as a full disk: it does not start without
        kill();
        Awaitility.await().atMost(PATIENCE).until(postgres::isRestarting);
        Files.move(version.resolveSibling("aside"), version);

        awaitAnswer("select 1", "1");
        Awaitility.await().atMost(PATIENCE).until(() -> !postgres.isRestarting());
    }

    @Test
    void a_close_ends_it_for_good() throws Exception {
        long before = postmaster();
        postgres.close();
        Awaitility.await().atMost(PATIENCE).until(() -> ProcessHandle.of(before).isEmpty());
        assertThat(supervisors()).isZero();
        assertThat(Postmaster.running(cluster)).isEmpty();
        assertThat(cluster.resolve("postmaster.pid")).doesNotExist();
    }

    @Test
    void a_close_while_it_is_being_restarted_leaves_nothing_running() throws Exception {
        kill();
        Awaitility.await().pollInterval(Duration.ofMillis(5)).atMost(PATIENCE).until(postgres::isRestarting);
        postgres.close();
        assertThat(supervisors()).isZero();
        assertThat(Postmaster.running(cluster)).isEmpty();
        EmbeddedPostgres.start(postgres.directory(), 0).close();
    }

    @Test
    void a_close_while_it_cannot_be_restarted_ends() throws Exception {
        Files.delete(cluster.resolve("PG_VERSION"));
        kill();
        Awaitility.await().atMost(PATIENCE).until(postgres::isRestarting);
        postgres.close();
        assertThat(supervisors()).isZero();
        assertThat(Postmaster.running(cluster)).isEmpty();
    }

    private static long supervisors() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("leasehold-embedded-supervisor"))
                .count();
    }

    private long postmaster() {
        return Postmaster.running(cluster).orElseThrow().pid();
    }

    private long kill() {
        ProcessHandle process = ProcessHandle.of(postmaster()).orElseThrow();
        process.destroyForcibly();
        return process.pid();
    }

    private void awaitAnswer(String query, String answer) {
        Awaitility.await()
                .atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(SQLException.class)
                .untilAsserted(() -> assertThat(ask(query)).isEqualTo(answer));
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(
                postgres.jdbcUrl(), postgres.applicationUser(), postgres.applicationPassword());
    }

    private String ask(String query) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            return row.next() ? row.getString(1) : "";
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
