package dev.leasehold.testkit.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

@Timeout(TestWaits.TEST_LIMIT)
class ProxyTest {
    private final PGSimpleDataSource direct = TestPostgres.newSchema();
    private final Proxy proxy = Proxy.before(direct);

    @BeforeEach
    void createTable() throws SQLException {
        execute(direct, "create table seen (number int)");
    }

    @AfterEach
    void close() {
        proxy.close();
    }

    @Test
    void what_is_asked_is_answered() throws SQLException {
        execute(through(), "insert into seen values (1)");
        assertThat(seen()).isEqualTo(1);
    }

    @Test
    void a_client_that_asks_for_encryption_is_told_that_there_is_none() throws SQLException {
        PGSimpleDataSource preferring = through();
        preferring.setSslMode("prefer");
        execute(preferring, "insert into seen values (1)");
        assertThat(seen()).isEqualTo(1);
    }

    @Test
    void a_statement_that_is_cut_in_two_is_not_carried_out() throws SQLException {
        try (Connection connection = through().getConnection()) {
            proxy.faults().cutStatements(1);
            assertThatThrownBy(() -> execute(connection, "insert into seen values (1)"))
                    .isInstanceOf(SQLException.class);
        }
        assertThat(proxy.faults().cuts()).isEqualTo(1);
        assertThat(seen()).isZero();
    }

    @Test
    void a_commit_whose_reply_is_lost_has_happened() throws SQLException {
        try (Connection connection = through().getConnection()) {
            proxy.faults().loseReplies(1);
            assertThatThrownBy(() -> execute(connection, "insert into seen values (1)"))
                    .isInstanceOf(SQLException.class);
        }
        assertThat(proxy.faults().lostReplies()).isEqualTo(1);
        assertThat(seen()).isEqualTo(1);
    }

    @Test
    void replies_are_lost_at_the_commit_and_not_before() throws SQLException {
        try (Connection connection = through().getConnection()) {
            connection.setAutoCommit(false);
            proxy.faults().loseReplies(1);
            execute(connection, "insert into seen values (1)");
            execute(connection, "select * from seen");
            assertThat(seen()).isZero();
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
        }
        assertThat(seen()).isEqualTo(1);
    }

    @Test
    void what_only_reads_loses_no_reply() throws SQLException {
        try (Connection connection = through().getConnection()) {
            proxy.faults().loseReplies(1);
            execute(connection, "select * from seen");
        }
        assertThat(proxy.faults().lostReplies()).isZero();
    }

    @Test
    void a_black_hole_delivers_late() throws Exception {
        try (Connection connection = through().getConnection()) {
            proxy.faults().blackHole();
            CompletableFuture<Void> insert = CompletableFuture.runAsync(() -> insert(connection));
            assertThatThrownBy(() -> insert.get(300, TimeUnit.MILLISECONDS)).hasMessage(null);
            assertThat(seen()).isZero();
            proxy.faults().clear();
            TestWaits.get(insert);
        }
        assertThat(seen()).isEqualTo(1);
    }

    @Test
    void what_a_black_hole_held_up_is_lost_when_it_is_cut() throws Exception {
        try (Connection connection = through().getConnection()) {
            proxy.faults().blackHole();
            CompletableFuture<Void> insert = CompletableFuture.runAsync(() -> insert(connection));
            assertThatThrownBy(() -> insert.get(300, TimeUnit.MILLISECONDS)).hasMessage(null);
            proxy.cut();
            assertThatThrownBy(() -> TestWaits.get(insert)).hasRootCauseInstanceOf(IOException.class);
        }
        execute(through(), "insert into seen values (2)");
        assertThat(seen()).isEqualTo(1);
    }

    @Test
    void what_is_done_while_replies_are_swallowed_has_happened() throws Exception {
        try (Connection connection = through().getConnection()) {
            proxy.faults().swallowReplies();
            CompletableFuture<Void> insert = CompletableFuture.runAsync(() -> insert(connection));
            TestWaits.await().until(() -> seen() == 1);
            assertThat(insert).isNotDone();
            proxy.cut();
            assertThatThrownBy(() -> TestWaits.get(insert)).hasRootCauseInstanceOf(IOException.class);
        }
        execute(through(), "insert into seen values (2)");
        assertThat(seen()).isEqualTo(2);
    }

    private static void insert(Connection connection) {
        try {
            execute(connection, "insert into seen values (1)");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void while_it_is_down_nobody_answers() throws SQLException {
        try (Connection connection = through().getConnection()) {
            proxy.down();
            assertThatThrownBy(() -> execute(connection, "select 1")).isInstanceOf(SQLException.class);
        }
        assertThatThrownBy(() -> through().getConnection()).hasRootCauseInstanceOf(ConnectException.class);
        proxy.up();
        execute(through(), "insert into seen values (1)");
        assertThat(seen()).isEqualTo(1);
    }

    @Test
    void connections_that_are_cut_are_gone_and_new_ones_work() throws SQLException {
        try (Connection connection = through().getConnection()) {
            proxy.cutAll();
            assertThatThrownBy(() -> execute(connection, "select 1")).isInstanceOf(SQLException.class);
        }
        TestWaits.await().until(() -> proxy.connections() == 0);
        execute(through(), "insert into seen values (1)");
        assertThat(seen()).isEqualTo(1);
    }

    @Test
    void a_server_that_is_not_there_is_a_connection_that_ends() {
        proxy.leadTo(1);
        assertThatThrownBy(() -> through().getConnection()).isInstanceOf(SQLException.class);
    }

    @Test
    void nobody_else_gets_the_port_of_a_proxy_whether_it_is_up_or_down() throws Exception {
        assertThatThrownBy(this::listenAtItsPort).isInstanceOf(BindException.class);
        proxy.down();
        assertThatThrownBy(this::listenAtItsPort).isInstanceOf(BindException.class);
        assertThatThrownBy(() -> through().getConnection()).hasRootCauseInstanceOf(ConnectException.class);
        proxy.up();
        assertThatThrownBy(this::listenAtItsPort).isInstanceOf(BindException.class);
        through().getConnection().close();
    }

    private void listenAtItsPort() throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port()));
        }
    }

    private PGSimpleDataSource through() {
        return proxy.through(direct);
    }

    private long seen() throws SQLException {
        try (Connection connection = direct.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from seen")) {
            row.next();
            return row.getLong(1);
        }
    }

    private static void execute(PGSimpleDataSource dataSource, String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            execute(connection, sql);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
