package dev.leasehold.postgres.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKey;
import dev.leasehold.postgres.Db;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The view that stands for LockServiceCentral's table: its columns, and nobody else's table is touched. */
class LockViewTest {
    private static final Holder US = Holder.of("alice", "inst-1");
    private static final long NOW = 1_727_000_000_999L;

    private final PGSimpleDataSource dataSource = Db.withTables();

    private static List<String> read(PGSimpleDataSource dataSource, String view) throws SQLException {
        List<String> lines = new ArrayList<>();
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select * from " + view + " order by lock_id")) {
            ResultSetMetaData columns = row.getMetaData();
            while (row.next()) {
                StringBuilder line = new StringBuilder();
                for (int i = 1; i <= columns.getColumnCount(); i++) {
                    line.append(columns.getColumnName(i))
                            .append('=')
                            .append(row.getString(i))
                            .append(' ');
                }
                lines.add(line.toString().strip());
            }
        }
        return lines;
    }

    @Test
    void it_has_the_seven_columns_of_every_lock_with_a_holder_and_a_namespace() throws Exception {
        assertThat(LockSchema.createView(dataSource, LockTables.DEFAULT, "locks"))
                .isTrue();
        try (PostgresLocks locks =
                PostgresLocks.builder(dataSource).testClock(() -> NOW).build()) {
            locks.async()
                    .byHolder()
                    .acquire(LockKey.of("myspace:my:lock"), US, Duration.ofSeconds(60))
                    .join();
            locks.async()
                    .byHolder()
                    .renew(LockKey.of("myspace:my:lock"), US, Duration.ofSeconds(60))
                    .join();
            locks.async()
                    .byHolder()
                    .acquire(LockKey.of("no-namespace"), US, Duration.ofSeconds(60))
                    .join();
            locks.acquire("myspace:anonymous");
        }
        assertThat(read(dataSource, "locks"))
                .containsExactly("lock_id=myspace:my:lock namespace=myspace lock_name=my:lock owner=alice"
                        + " instance_id=inst-1 lease_duration=120 expiry=1727000120");
    }

    @Test
    void creating_it_again_or_at_once_changes_nothing() throws Exception {
        List<CompletableFuture<Boolean>> nodes = IntStream.range(0, 4)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> LockSchema.createView(dataSource, LockTables.DEFAULT, "MyLocks")))
                .toList();
        nodes.forEach(node -> assertThat(node.join()).isTrue());
        assertThat(read(dataSource, "\"MyLocks\"")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"create table locks (mine text)", "create view locks as select 'mine' as lock_id"})
    void what_somebody_else_has_there_is_left_alone(String theirs) {
        Db.execute(dataSource, theirs);
        assertThat(LockSchema.createView(dataSource, LockTables.DEFAULT, "locks"))
                .isFalse();
        assertThat(Db.number(
                        dataSource,
                        "select count(*) from pg_attribute where attrelid = 'locks'::regclass and attnum > 0"))
                .isEqualTo(1);
    }

    @Test
    void its_name_is_an_identifier_and_nobody_elses() {
        for (String wrong : List.of("", "a b", "locks;", "syncguard_locks", "syncguard_fence_counters")) {
            assertThatThrownBy(() -> LockSchema.createView(dataSource, LockTables.DEFAULT, wrong))
                    .isInstanceOfSatisfying(
                            LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.INVALID_ARGUMENT));
        }
    }

    @Test
    void the_schema_step_may_be_repeated_with_the_view_there() {
        LockSchema.createView(dataSource, LockTables.DEFAULT, "locks");
        Db.execute(dataSource, LockSchema.sql(LockTables.DEFAULT));
        assertThat(Db.number(dataSource, "select count(*) from locks")).isZero();
    }
}
