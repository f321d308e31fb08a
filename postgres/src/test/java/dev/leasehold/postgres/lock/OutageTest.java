package dev.leasehold.postgres.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.Fence;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockId;
import dev.leasehold.postgres.AtOnce;
import dev.leasehold.postgres.Db;
import dev.leasehold.testkit.TestWaits;
import dev.leasehold.testkit.proxy.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** A database in trouble is told by the right code, in time, never as locked or free; and when it is back, so are the locks. */
@Timeout(TestWaits.TEST_LIMIT)
@Tag("slow")
class OutageTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private final PGSimpleDataSource direct = Db.withTables();
    private Proxy proxy;
    private PostgresLocks locks;

    @BeforeEach
    void open() {
        proxy = Proxy.before(direct);
        locks = PostgresLocks.builder(throughProxy()).timeout(TIMEOUT).build();
    }

    private PGSimpleDataSource throughProxy() {
        PGSimpleDataSource dataSource = proxy.through(direct);
        dataSource.setApplicationName(direct.getCurrentSchema());
        return dataSource;
    }

    @AfterEach
    void close() {
        locks.close();
        proxy.close();
    }

    private static void assertFails(LockErrorCode code, ThrowingCallable call) {
        long start = System.nanoTime();
        LockException error = catchThrowableOfType(LockException.class, call);
        assertThat(error).as("failed").isNotNull();
        assertThat(error.code()).as(error.getMessage()).isEqualTo(code);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(TestWaits.LIMIT);
    }

    private void assertWorksAgain() {
        TestWaits.await().ignoreExceptions().until(() -> {
            locks.acquire("again").close();
            return true;
        });
    }

    @Test
    void a_database_that_is_down_is_unavailable_and_comes_back() {
        locks.acquire("before").close();
        proxy.down();
        assertFails(LockErrorCode.SERVICE_UNAVAILABLE, () -> locks.tryAcquire("x"));
        assertFails(LockErrorCode.SERVICE_UNAVAILABLE, () -> locks.isLocked("x"));
        assertFails(LockErrorCode.SERVICE_UNAVAILABLE, () -> locks.getByKey("x"));
        assertFails(
                LockErrorCode.SERVICE_UNAVAILABLE,
                () -> locks.acquire(AcquireRequest.of("x").waitFor(Duration.ofMinutes(5))));
        proxy.up();
        assertWorksAgain();
    }

    @Test
    void a_database_that_does_not_answer_is_a_timeout_and_comes_back() {
        locks.acquire("before").close();
        proxy.faults().blackHole();
        AtOnce.run(
                () -> assertFails(LockErrorCode.NETWORK_TIMEOUT, () -> locks.tryAcquire("x")),
                () -> assertFails(LockErrorCode.NETWORK_TIMEOUT, () -> locks.isLocked("x")));
        proxy.cut();
        assertWorksAgain();
    }

    @Test
    void callers_in_a_crowd_do_not_wait_longer_than_one_alone() {
        locks.acquire("before").close();
        proxy.faults().blackHole();
        List<CompletableFuture<?>> crowd = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            crowd.add(locks.async().tryAcquire(AcquireRequest.of("crowd:" + i)));
        }
        long start = System.nanoTime();
        crowd.forEach(call -> {
            CompletionException failure = catchThrowableOfType(CompletionException.class, call::join);
            assertThat(failure.getCause())
                    .isInstanceOfSatisfying(
                            LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.NETWORK_TIMEOUT));
        });
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(TestWaits.LIMIT);
    }

    @Test
    void a_grant_whose_reply_was_lost_is_given_back() {
        TestWaits.await().until(this::isGrantedWithoutReply);
        TestWaits.await()
                .until(() -> Db.number(direct, "select count(*) from syncguard_locks where key = 'lost'") == 0);
    }

    /**
     * Whether the server granted a lock whose holder never heard of it. The fence tells, because the grant may have been given back by
     * now. On a busy machine the connection may have been idle for so long that it is validated first; then nothing was granted.
     */
    private boolean isGrantedWithoutReply() {
        assertWorksAgain();
        proxy.faults().swallowReplies();
        assertFails(LockErrorCode.NETWORK_TIMEOUT, () -> locks.tryAcquire("lost"));
        proxy.cut();
        return Db.number(direct, "select count(*) from syncguard_fence_counters where fence_key = 'fence:lost'") == 1;
    }

    /** It was drawn so that the call can be repeated, here or on another node: giving it back could hit the repetition. */
    @Test
    void a_grant_under_a_lock_id_that_the_user_drew_is_left_to_the_user() {
        AcquireRequest request = AcquireRequest.of("drawn").lockId(LockId.generate());
        locks.acquire("before").close();
        proxy.faults().swallowReplies();
        AtOnce.run(
                () -> assertFails(LockErrorCode.NETWORK_TIMEOUT, () -> locks.tryAcquire(request)),
                () -> assertFails(LockErrorCode.NETWORK_TIMEOUT, () -> locks.tryAcquire("lost")));
        proxy.cut();
        TestWaits.await()
                .until(() -> Db.number(direct, "select count(*) from syncguard_locks where key = 'lost'") == 0);
        try (HeldLock lock = locks.acquire(request)) {
            assertThat(lock.fence()).as("of the first try").isEqualTo(Fence.of(1));
        }
    }

    @Test
    void connections_that_were_cut_while_idle_cost_nobody_a_failure() throws Exception {
        locks.acquire("before").close();
        proxy.cut();
        TimeUnit.MILLISECONDS.sleep(1100); // past the time for which a connection is taken for good without asking
        assertThat(locks.tryAcquire("after")).isPresent();
    }

    @Test
    void a_read_only_database_is_unavailable() {
        PGSimpleDataSource readOnly = proxy.through(direct);
        readOnly.setOptions("-c default_transaction_read_only=on");
        try (PostgresLocks standby =
                PostgresLocks.builder(readOnly).timeout(TIMEOUT).build()) {
            assertFails(LockErrorCode.SERVICE_UNAVAILABLE, () -> standby.tryAcquire("x"));
            assertThat(standby.isLocked("x")).isFalse();
        }
    }

    @Test
    void a_database_without_a_free_connection_limits_the_rate() throws Exception {
        Db.execute(
                direct,
                "do $$ begin if not exists (select from pg_roles where rolname = 'lonely') then"
                        + " create role lonely login password 'lonely' connection limit 1; end if; end $$");
        PGSimpleDataSource limited = proxy.through(direct);
        limited.setUser("lonely");
        limited.setPassword("lonely");
        try (Connection only = limited.getConnection();
                PostgresLocks late =
                        PostgresLocks.builder(limited).timeout(TIMEOUT).build()) {
            assertThat(only.isValid(1)).isTrue();
            assertFails(LockErrorCode.RATE_LIMITED, () -> late.tryAcquire("x"));
        }
    }

    @Test
    void a_pool_without_a_free_connection_limits_the_rate_within_our_timeout_not_the_pools() throws Exception {
        HikariConfig config = new HikariConfig();
        config.setDataSource(direct);
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(600_000);
        try (HikariDataSource pool = new HikariDataSource(config);
                PostgresLocks late =
                        PostgresLocks.builder(pool).timeout(TIMEOUT).build()) {
            try (Connection only = pool.getConnection()) {
                assertThat(only.isValid(1)).isTrue();
                assertFails(LockErrorCode.RATE_LIMITED, () -> late.tryAcquire("x"));
            }
            TestWaits.await()
                    .ignoreExceptions()
                    .until(() -> late.tryAcquire("x").isPresent());
        }
    }

    @Test
    void a_table_that_somebody_has_locked_is_a_timeout_and_not_contention() throws Exception {
        try (Connection vacuum = Db.transaction(direct)) {
            Db.execute(vacuum, "lock table syncguard_locks in access exclusive mode");
            AtOnce.run(
                    () -> assertFails(LockErrorCode.NETWORK_TIMEOUT, () -> locks.tryAcquire("x")),
                    () -> assertFails(LockErrorCode.NETWORK_TIMEOUT, () -> locks.isLocked("x")));
        }
        assertWorksAgain();
    }

    @Test
    void when_one_connection_was_lost_the_others_are_asked_before_they_are_used() {
        do {
            TestWaits.await().ignoreExceptions().until(this::useAllLanes);
            proxy.cut();
        } while (catchThrowable(() -> locks.isLocked("x")) == null); // it had a lane that was not connected yet
        assertThat(useAllLanes()).isTrue();
    }

    private boolean useAllLanes() {
        CompletableFuture.allOf(IntStream.range(0, 16)
                        .mapToObj(i -> locks.async().isLocked("lane:" + i))
                        .toArray(CompletableFuture<?>[]::new))
                .join();
        return true;
    }

    @Test
    void backends_that_are_terminated_are_replaced() {
        for (int i = 0; i < 3; i++) {
            locks.acquire("alive:" + i).close();
            Db.execute(
                    direct, "select pg_terminate_backend(pid)" + ofThisTest() + " and query like '%syncguard_locks%'");
            assertWorksAgain();
        }
    }

    /** The connections through the proxy. */
    private String ofThisTest() {
        return " from pg_stat_activity where pid <> pg_backend_pid() and application_name = '"
                + direct.getCurrentSchema() + "'";
    }

    @Test
    void a_waiter_outlives_the_listening_connection() throws Exception {
        var holder = locks.acquire(AcquireRequest.of("patience").ttl(Duration.ofMinutes(1)));
        try (PostgresLocks other = PostgresLocks.create(throughProxy())) {
            var waiting = other.async().tryAcquire(AcquireRequest.of("patience").waitFor(Duration.ofMinutes(5)));
            TestWaits.await()
                    .until(() -> Db.number(
                                    direct,
                                    "select count(*)" + ofThisTest() + " and query like 'listen%' and state = 'idle'")
                            > 0);
            Db.execute(
                    direct,
                    "select pg_terminate_backend(pid)" + ofThisTest() + " and query like 'listen%' and state = 'idle'");
            holder.close();
            assertThat(TestWaits.get(waiting)).isPresent();
        }
    }
}
