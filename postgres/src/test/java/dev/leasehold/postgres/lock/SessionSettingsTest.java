package dev.leasehold.postgres.lock;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.postgres.Db;
import dev.leasehold.testkit.OwnPostgres;
import dev.leasehold.testkit.TestWaits;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What the engine sets in a session, and what others have set there, do not get in each other's way. */
@Timeout(TestWaits.TEST_LIMIT)
@Tag("slow")
class SessionSettingsTest {
    private static final List<String> ENGINES = List.of(
            "lock_timeout",
            "statement_timeout",
            "plan_cache_mode",
            "enable_seqscan",
            "enable_bitmapscan",
            "jit",
            "default_transaction_isolation");

    private final PGSimpleDataSource dataSource = Db.withTables();

    @Test
    void a_role_whose_default_is_serializable_notices_nothing() {
        PgBouncerTest.workOn(Db.asRoleWith(dataSource, "default_transaction_isolation = serializable"));
    }

    @Test
    void a_pool_gets_its_connections_back_as_it_had_set_them_up() throws Exception {
        HikariConfig config = new HikariConfig();
        config.setDataSource(dataSource);
        config.setMaximumPoolSize(1);
        config.setConnectionInitSql("set lock_timeout = '7s'; set statement_timeout = '8s';"
                + " set plan_cache_mode = force_custom_plan; set enable_seqscan = off; set enable_bitmapscan = off;"
                + " set default_transaction_isolation = 'repeatable read'");
        try (HikariDataSource pool = new HikariDataSource(config)) {
            Map<String, String> before = settings(pool);
            try (PostgresLocks locks =
                    PostgresLocks.builder(pool).connections(1).build()) {
                locks.acquire("borrowed").close();
            }
            assertThat(settings(pool)).isEqualTo(before).containsEntry("lock_timeout", "7s session");
        }
    }

    /** The settings of the engine would be those of whoever borrows it next. */
    @Test
    void a_connection_that_cannot_be_restored_does_not_go_back_to_its_pool() {
        try (OwnPostgres server = OwnPostgres.start()) {
            PGSimpleDataSource schema = Db.withTables(server.newSchema());
            HikariConfig config = new HikariConfig();
            config.setDataSource(Db.asRoleWith(schema, "lock_timeout = '7s'"));
            config.setMaximumPoolSize(1);
            try (HikariDataSource pool = new HikariDataSource(config)) {
                try (PostgresLocks locks =
                        PostgresLocks.builder(pool).connections(1).build()) {
                    locks.acquire("borrowed").close();
                    Db.execute(
                            schema,
                            "revoke execute on function set_config(text, text, bool) from public, \"" + schema.getUser()
                                    + "\"");
                }
                TestWaits.await()
                        .ignoreExceptions()
                        .untilAsserted(() -> assertThat(settings(pool)).containsEntry("lock_timeout", "7s user"));
            }
        }
    }

    /** Their values, and where those come from. */
    private static Map<String, String> settings(HikariDataSource pool) throws SQLException {
        Map<String, String> settings = new TreeMap<>();
        try (Connection connection = pool.getConnection();
                PreparedStatement query = connection.prepareStatement(
                        "select name, current_setting(name) || ' ' || source from pg_settings where name = any (?)")) {
            query.setArray(1, connection.createArrayOf("text", ENGINES.toArray()));
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    settings.put(row.getString(1), row.getString(2));
                }
            }
        }
        return settings;
    }

    /** A deadlock, or a conflict that only a repetition can solve, is nobody's fault and no sign of a store in trouble. */
    @ParameterizedTest
    @ValueSource(strings = {"40001", "40P01"})
    void a_conflict_with_another_transaction_is_tried_again(String sqlState) {
        Db.failThreeInserts(dataSource, "syncguard_locks", sqlState);
        try (PostgresLocks locks = PostgresLocks.create(dataSource)) {
            assertThat(locks.tryAcquire("conflict")).isPresent();
        }
    }
}
