package dev.leasehold.postgres.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.postgres.Db;
import dev.leasehold.postgres.internal.Lane;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Statements find their rows by key or lock id, whatever the planner believes about the tables. */
@Tag("slow")
class PlansTest {
    private static final String[] STATEMENTS = {
        "acquire",
        "reacquire",
        "delete_expired",
        "release",
        "release_with_reason",
        "extend",
        "lookup_by_key",
        "lookup_by_id",
        "renew_held",
        "release_held",
        "force_release",
        "list",
        "guard",
        "commit_guarded",
        "release_in"
    };

    /** Those that run in a session of the caller's, with its settings. */
    private static final String[] OF_CALLERS = {"guard", "commit_guarded", "release_in"};

    /** A scan of an index of locks or fences from its beginning to its end. */
    private static final Pattern WHOLE_INDEX = Pattern.compile(
            "Index (Only )?Scan using \\S+ on (syncguard_locks|syncguard_fence_counters)\\b.*\\n(?!\\s+Index Cond)");

    @ParameterizedTest
    @ValueSource(strings = {"empty", "fresh", "analyzed", "bloated"})
    void no_statement_reads_the_whole_table(String state) throws SQLException {
        PGSimpleDataSource dataSource = Db.withTables();
        prepare(dataSource, state);
        try (Connection connection = dataSource.getConnection()) {
            Db.execute(connection, "select " + Lane.settings("false", 1000));
            for (String name : STATEMENTS) {
                String plan = plan(connection, Sql.load("lock/" + name, LockTables.DEFAULT.placeholders()));
                assertThat(plan)
                        .as(name)
                        .contains("Index")
                        .doesNotContain("Seq Scan")
                        .doesNotContain("Bitmap")
                        .doesNotContainPattern(WHOLE_INDEX)
                        .doesNotContain("idx_syncguard_locks_expires");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"fresh", "analyzed", "bloated"})
    void nor_does_one_in_a_session_of_the_callers(String state) throws SQLException {
        PGSimpleDataSource dataSource = Db.withTables();
        prepare(dataSource, state);
        try (Connection connection = dataSource.getConnection()) {
            Db.execute(connection, "set plan_cache_mode = force_generic_plan"); // the parameters are null here
            for (String name : OF_CALLERS) {
                assertThat(plan(connection, Sql.load("lock/" + name, LockTables.DEFAULT.placeholders())))
                        .as(name)
                        .contains("Index Cond")
                        .doesNotContain("Seq Scan on syncguard_locks ");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ours", "syncguards"})
    void a_page_of_locks_is_read_in_the_order_of_an_index(String whose) throws SQLException {
        PGSimpleDataSource dataSource = TestPostgres.newSchema();
        if (whose.equals("syncguards")) {
            Db.execute(
                    dataSource,
                    "create table syncguard_locks (key text primary key, lock_id text not null, expires_at_ms bigint not null,"
                            + " acquired_at_ms bigint not null, fence text not null, user_key text not null)");
        }
        LockSchema.create(dataSource);
        prepare(dataSource, "analyzed");
        try (Connection connection = dataSource.getConnection()) {
            Db.execute(connection, "select " + Lane.settings("false", 1000));
            String plan = plan(connection, Sql.load("lock/list", LockTables.DEFAULT.placeholders()));
            assertThat(plan).contains("Index Cond").doesNotContain("Sort").doesNotContain("Seq Scan");
        }
    }

    /** It is taken for what is dead only: the planner must not ask for it first, because it is cheaper than reading the clock. */
    @Test
    void the_advisory_lock_of_a_live_key_is_not_taken_to_look_for_the_dead() throws SQLException {
        PGSimpleDataSource dataSource = Db.withTables();
        prepare(dataSource, "analyzed");
        Db.execute(dataSource, "update syncguard_locks set expires_at_ms = 1 where key = 'k3'");
        Map<String, Object> values = new HashMap<>();
        values.put("busy_keys", new String[] {"k1", "k2", "k3"});
        try (Connection connection = Db.transaction(dataSource)) {
            Db.execute(connection, "select " + Lane.settings("false", 1000));
            try (PreparedStatement dead = Sql.load("lock/delete_expired", LockTables.DEFAULT.placeholders())
                    .prepare(connection, values)) {
                dead.execute();
            }
            assertThat(Db.number(
                            connection,
                            "select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()"))
                    .isEqualTo(1);
        }
    }

    private static void prepare(PGSimpleDataSource dataSource, String state) {
        if (state.equals("empty")) {
            return;
        }
        Db.execute(
                dataSource,
                "insert into syncguard_locks (key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key)"
                        + " select 'k' || i, 'id' || i, 4000000000000 + i, 1, '000000000000001', 'k' || i"
                        + " from generate_series(1, 20000) i;"
                        + " insert into syncguard_fence_counters select 'fence:k' || i, 1, 'k' from generate_series(1, 20000) i");
        if (state.equals("bloated")) {
            Db.execute(dataSource, "delete from syncguard_locks where key > 'k1'");
        }
        if (!state.equals("fresh")) {
            Db.execute(dataSource, "analyze syncguard_locks, syncguard_fence_counters");
        }
    }

    /** The plans that the lanes use: made once, whatever the parameters are. */
    private static String plan(Connection connection, Sql sql) throws SQLException {
        StringBuilder plans = new StringBuilder();
        for (String statement : Sql.message(List.of(sql), "").split(";", -1)) {
            if (statement.contains("?")) {
                plans.append(planOf(connection, statement));
            }
        }
        return plans.toString();
    }

    private static String planOf(Connection connection, String statement) throws SQLException {
        String[] pieces = statement.split("\\?", -1);
        StringBuilder numbered = new StringBuilder(pieces[0]);
        for (int i = 1; i < pieces.length; i++) {
            numbered.append('$').append(i).append(pieces[i]);
        }
        String nulls = "null, ".repeat(pieces.length - 2) + "null";
        StringBuilder plan = new StringBuilder();
        Db.execute(connection, "prepare planned as " + numbered);
        try (Statement explain = connection.createStatement();
                ResultSet row = explain.executeQuery("explain execute planned(" + nulls + ")")) {
            while (row.next()) {
                plan.append(row.getString(1)).append('\n');
            }
        }
        Db.execute(connection, "deallocate planned");
        return plan.toString();
    }
}
