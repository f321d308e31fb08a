package dev.leasehold.chaos.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import java.net.URI;
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
    private final Proxy proxy = Proxy.before(
            URI.create(TestPostgres.url().substring("jdbc:".length())).getPort(), 1);

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
            proxy.weather().cutStatements(1);
            assertThatThrownBy(() -> execute(connection, "insert into seen values (1)"))
                    .isInstanceOf(SQLException.class);
        }
        assertThat(proxy.weather().cuts()).isEqualTo(1);
        assertThat(seen()).isZero();
    }

    @Test
    void a_commit_whose_reply_is_lost_has_happened() throws SQLException {
        try (Connection connection = through().getConnection()) {
            proxy.weather().loseReplies(1);
            assertThatThrownBy(() -> execute(connection, "insert into seen values (1)"))
                    .isInstanceOf(SQLException.class);
        }
        assertThat(proxy.weather().lostReplies()).isEqualTo(1);
        assertThat(seen()).isEqualTo(1);
    }

    @Test
    void replies_are_lost_at_the_commit_and_not_before() throws SQLException {
        try (Connection connection = through().getConnection()) {
            connection.setAutoCommit(false);
            proxy.weather().loseReplies(1);
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
            proxy.weather().loseReplies(1);
            execute(connection, "select * from seen");
        }
        assertThat(proxy.weather().lostReplies()).isZero();
    }

    @Test
    void a_black_hole_delivers_late() throws Exception {
        try (Connection connection = through().getConnection()) {
            proxy.weather().blackHole();
            CompletableFuture<Void> insert = CompletableFuture.runAsync(() -> {
                try {
                    execute(connection, "insert into seen values (1)");
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThatThrownBy(() -> insert.get(300, TimeUnit.MILLISECONDS)).hasMessage(null);
            assertThat(seen()).isZero();
            proxy.weather().clear();
            TestWaits.get(insert);
        }
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

    private PGSimpleDataSource through() {
        PGSimpleDataSource dataSource = TestPostgres.at(TestPostgres.url());
        dataSource.setServerNames(new String[] {"127.0.0.1"});
        dataSource.setPortNumbers(new int[] {proxy.port()});
        dataSource.setCurrentSchema(direct.getCurrentSchema());
        return dataSource;
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
