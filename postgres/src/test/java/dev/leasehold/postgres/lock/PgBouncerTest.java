package dev.leasehold.postgres.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.postgres.Db;
import dev.leasehold.testkit.TestWaits;
import dev.leasehold.testkit.process.PgBouncer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

/** Everything works through a transaction pooler with fewer connections than clients. Needs pgbouncer to be installed. */
@Timeout(TestWaits.TEST_LIMIT)
@Tag("slow")
class PgBouncerTest {
    private static PgBouncer bouncer;
    private static PGSimpleDataSource direct;
    private static PGSimpleDataSource pooled;

    @BeforeAll
    static void start() {
        assumeTrue(PgBouncer.isInstalled(), "pgbouncer is not installed");
        direct = Db.withTables();
        bouncer = PgBouncer.before(direct);
        pooled = bouncer.pooled();
    }

    @AfterAll
    static void stop() {
        if (bouncer != null) {
            bouncer.close();
        }
    }

    @Test
    void many_nodes_share_two_connections_and_exclude_each_other() {
        workOn(pooled);
    }

    /** Its transactions need an isolation level that does not fail them, whatever the role has as its default. */
    @Test
    void a_role_whose_default_is_serializable_notices_nothing() {
        PGSimpleDataSource role = Db.asRoleWith(direct, "default_transaction_isolation = serializable");
        try (PgBouncer strict = PgBouncer.before(role)) {
            workOn(strict.pooled());
        }
    }

    /** Four nodes, sixteen clients, a key each. */
    static void workOn(DataSource dataSource) {
        List<PostgresLocks> nodes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            nodes.add(PostgresLocks.create(dataSource));
        }
        try {
            List<CompletableFuture<Integer>> work = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                PostgresLocks node = nodes.get(i % nodes.size());
                String key = "pooled:" + i;
                work.add(CompletableFuture.supplyAsync(() -> {
                    for (int round = 0; round < 20; round++) {
                        try (HeldLock lock = node.acquire(key)) {
                            assertThat(lock.extend(Duration.ofSeconds(10))).isTrue();
                            assertThat(node.isLocked(key)).isTrue();
                        }
                    }
                    return 20;
                }));
            }
            assertThat(work.stream().mapToInt(CompletableFuture::join).sum()).isEqualTo(320);
        } finally {
            nodes.forEach(PostgresLocks::close);
        }
    }

    @Test
    void a_connection_of_a_pool_before_the_pooler_comes_back_as_it_was() throws Exception {
        HikariConfig config = new HikariConfig();
        config.setDataSource(pooled);
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            int threshold = prepareThreshold(pool);
            try (PostgresLocks locks =
                    PostgresLocks.builder(pool).connections(1).build()) {
                locks.acquire("borrowed").close();
            }
            assertThat(prepareThreshold(pool)).isEqualTo(threshold);
        }
    }

    private static int prepareThreshold(DataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return connection.unwrap(PGConnection.class).getPrepareThreshold();
        }
    }

    @Test
    void a_waiter_that_cannot_listen_gets_the_lock_soon() throws Exception {
        try (PostgresLocks one = PostgresLocks.create(pooled);
                PostgresLocks other = PostgresLocks.create(pooled)) {
            HeldLock held = one.acquire("deaf");
            var waiting = other.async().tryAcquire(AcquireRequest.of("deaf").waitFor(Duration.ofMinutes(2)));
            held.release();
            assertThat(TestWaits.get(waiting)).isPresent();
        }
    }

    @Test
    void a_waiter_with_a_direct_connection_beside_the_pooler_is_woken() throws Exception {
        try (PostgresLocks one = PostgresLocks.create(pooled);
                PostgresLocks other = PostgresLocks.builder(pooled)
                        .listenOn(direct)
                        .options(o -> o.pollInterval(Duration.ofMinutes(5)))
                        .build()) {
            HeldLock held = one.acquire("heard");
            var waiting = other.async().tryAcquire(AcquireRequest.of("heard").waitFor(Duration.ofMinutes(2)));
            TestWaits.await()
                    .until(() ->
                            Db.number(direct, "select count(*) from syncguard_locks_waiters where key = 'heard'") == 1);
            held.release();
            assertThat(TestWaits.get(waiting)).isPresent();
        }
    }
}
