package dev.leasehold.postgres.lock;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.postgres.Db;
import dev.leasehold.testkit.TestWaits;
import dev.leasehold.testkit.proxy.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** A pool with fewer connections than the engine has lanes: one connection is enough to serve all calls. */
@Timeout(TestWaits.TEST_LIMIT)
@Tag("slow")
class SmallPoolTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private final PGSimpleDataSource direct = Db.withTables();
    private Proxy proxy;
    private HikariDataSource pool;
    private PostgresLocks locks;

    @BeforeEach
    void open() {
        proxy = Proxy.before(direct);
        HikariConfig config = new HikariConfig();
        config.setDataSource(proxy.through(direct));
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(TIMEOUT.toMillis());
        pool = new HikariDataSource(config);
        locks = PostgresLocks.builder(pool)
                .connections(2)
                .timeout(TIMEOUT)
                .sweepEvery(Duration.ZERO)
                .build();
    }

    @AfterEach
    void close() {
        locks.close();
        pool.close();
        proxy.close();
    }

    @Test
    void a_call_does_not_wait_for_the_pool_while_another_connection_is_free() {
        locks.acquire("warm").close();
        proxy.faults().blackHole();
        long before = locks.statistics().messages();
        CompletableFuture<Optional<HeldLock>> first = locks.async().tryAcquire(AcquireRequest.of("first"));
        TestWaits.await().until(() -> locks.statistics().messages() > before);
        CompletableFuture<Optional<HeldLock>> second = locks.async().tryAcquire(AcquireRequest.of("second"));
        TestWaits.await().until(() -> pool.getHikariPoolMXBean().getThreadsAwaitingConnection() > 0);
        proxy.faults().endBlackHole();
        first.join().orElseThrow().close();
        TestWaits.await().until(() -> {
            locks.acquire("other").close(); // so that the connection is never idle for long, and stays with its lane
            return second.isDone();
        });
        second.join().orElseThrow().close();
    }

    @Test
    void calls_are_served_by_one_connection_when_the_application_has_all_others() throws SQLException {
        pool.getHikariConfigMXBean().setMaximumPoolSize(2);
        locks.acquire("warm").close();
        try (Connection ofTheApplication = pool.getConnection()) {
            CompletableFuture<?>[] calls = new CompletableFuture<?>[100];
            for (int i = 0; i < calls.length; i++) {
                calls[i] = locks.async()
                        .tryAcquire(AcquireRequest.of("key:" + i))
                        .thenAccept(lock -> lock.orElseThrow().close());
            }
            TestWaits.await().until(() -> {
                locks.acquire("other").close();
                return CompletableFuture.allOf(calls).isDone();
            });
            Db.execute(ofTheApplication, "select 1");
        }
    }
}
