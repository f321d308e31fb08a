package dev.leasehold.postgres.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.LockStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.postgres.CountingSocketFactory;
import dev.leasehold.postgres.CountingSocketFactory.Counts;
import dev.leasehold.postgres.Db;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Calls that travel together get the answers they would have got alone. */
@Timeout(TestWaits.TEST_LIMIT)
@Tag("slow")
class GroupCommitTest {
    private static final Duration TTL = Duration.ofSeconds(30);
    private PGSimpleDataSource dataSource;
    private Counts counts;
    private PostgresLocks locks;
    private LockStore store;

    @BeforeEach
    void open() {
        dataSource = Db.withTables();
        counts = CountingSocketFactory.count(dataSource);
        locks = PostgresLocks.builder(dataSource).connections(1).build();
        store = locks.store();
        locks.acquire("warm").close();
    }

    @AfterEach
    void close() {
        locks.close();
    }

    /** Sends attempts so that all but the first few are in one group. */
    private List<CompletableFuture<AcquireResult>> together(List<AcquireAttempt> attempts) {
        return attempts.stream().map(store::acquire).toList();
    }

    private static AcquireAttempt attempt(String key) {
        return AcquireAttempt.of(LockKey.of(key), TTL);
    }

    /** Nothing waits for company, and no thread is changed, once its connection is open. */
    @Test
    void a_call_without_company_is_sent_at_once_in_the_thread_of_its_caller() {
        Set<Thread> senders = ConcurrentHashMap.newKeySet();
        try (PostgresLocks alone = PostgresLocks.create(recordingSenders(senders))) {
            Awaitility.await().pollInSameThread().until(() -> {
                senders.clear();
                alone.acquire("alone").close();
                return senders.equals(Set.of(Thread.currentThread()));
            });
        }
    }

    /** A data source whose connections tell which threads send statements. */
    private DataSource recordingSenders(Set<Thread> senders) {
        return proxy(
                DataSource.class,
                dataSource,
                (method, result) -> result instanceof Connection connection
                        ? proxy(Connection.class, connection, (called, answer) -> {
                            if (called.equals("prepareStatement")) {
                                senders.add(Thread.currentThread());
                            }
                            return answer;
                        })
                        : result);
    }

    /** @param change what to make of the result of a method, by its name */
    private static <T> T proxy(Class<T> type, T target, BiFunction<String, Object, Object> change) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            try {
                return change.apply(method.getName(), method.invoke(target, arguments));
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @Test
    void calls_that_meet_share_a_transaction() throws Exception {
        List<AcquireAttempt> attempts = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            attempts.add(attempt("meet:" + i));
        }
        List<CompletableFuture<AcquireResult>> results;
        int before = counts.transactions();
        try (Connection brake = uncounted()) { // none can be carried out before all have been made
            Db.execute(brake, "lock table syncguard_locks");
            results = together(attempts);
        }
        assertThat(results).allMatch(result -> result.join().ok());
        assertThat(counts.transactions() - before).isLessThanOrEqualTo(10);
    }

    private Connection uncounted() throws SQLException {
        PGSimpleDataSource uncounted = TestPostgres.dataSource();
        uncounted.setCurrentSchema(dataSource.getCurrentSchema());
        return Db.transaction(uncounted);
    }

    @Test
    void of_many_who_want_the_same_key_one_gets_it() {
        List<AcquireAttempt> attempts = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            attempts.add(attempt("popular"));
        }
        assertThat(together(attempts).stream().filter(result -> result.join().ok()))
                .hasSize(1);
    }

    @Test
    void the_same_holder_in_one_group_gets_the_same_grant() {
        Holder holder = Holder.of("billing", "7");
        List<AcquireAttempt> attempts = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            attempts.add(attempt("mine").holder(holder));
        }
        List<AcquireResult> results =
                together(attempts).stream().map(CompletableFuture::join).toList();
        assertThat(results).allMatch(AcquireResult::ok);
        assertThat(results.stream().map(r -> ((Granted) r).lockId()).distinct()).hasSize(1);
        assertThat(results.stream().map(r -> ((Granted) r).fence()).distinct()).hasSize(1);
    }

    /** Who asks first decides for all who ask for the same key, but not for who has it. */
    @Test
    void who_has_the_key_gets_it_again_among_others_who_want_it() {
        Holder holder = Holder.of("ë:billing", "7");
        Granted held = (Granted) store.acquire(attempt("held").holder(holder)).join();
        AcquireAttempt byId = attempt("byId");
        store.acquire(byId).join();

        List<AcquireAttempt> attempts = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            attempts.add(attempt("held").holder(Holder.of("billing", "other" + i)));
            attempts.add(attempt("byId"));
            attempts.add(i % 10 == 9 ? attempt("held").holder(holder) : attempt("held"));
            attempts.add(i % 10 == 9 ? byId : attempt("byId").holder(holder));
        }
        List<AcquireResult> results =
                together(attempts).stream().map(CompletableFuture::join).toList();
        for (int i = 0; i < results.size(); i++) {
            boolean hasIt = i / 4 % 10 == 9 && i % 4 >= 2;
            assertThat(results.get(i).ok()).as("attempt " + i).isEqualTo(hasIt);
        }
        assertThat(((Granted) results.get(38)).lockId()).isEqualTo(held.lockId());
        assertThat(((Granted) results.get(38)).fence()).isEqualTo(held.fence());
    }

    @Test
    void attempts_with_the_same_lock_id_in_one_group_get_the_same_grant() {
        AcquireAttempt attempt = attempt("twice");
        List<CompletableFuture<AcquireResult>> results = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            results.add(store.acquire(attempt));
        }
        assertThat(results).allMatch(result -> result.join().ok());
        assertThat(results.stream().map(r -> ((Granted) r.join()).fence()).distinct())
                .hasSize(1);
    }

    @Test
    void of_many_releases_of_one_grant_one_is_it() {
        LockId lockId = ((Granted) store.acquire(attempt("once")).join()).lockId();
        List<CompletableFuture<ReleaseResult>> releases = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            releases.add(store.release(lockId));
        }
        assertThat(releases.stream().filter(release -> release.join().ok())).hasSize(1);
    }

    @Test
    void a_call_that_cannot_be_decided_holds_up_no_other() throws Exception {
        try (Connection stalled = Db.transaction(dataSource)) {
            Db.number(stalled, "select count(pg_advisory_xact_lock(hashtext('stuck')))");
            CompletableFuture<AcquireResult> stuck = store.acquire(attempt("stuck"));
            for (int i = 0; i < 5; i++) {
                List<AcquireAttempt> others = new ArrayList<>();
                for (int j = 0; j < 20; j++) {
                    others.add(attempt("free:" + i + ":" + j));
                }
                assertThat(together(others)).allMatch(result -> result.join().ok());
            }
            assertThat(stuck).isNotDone();
            stalled.rollback();
            assertThat(TestWaits.get(stuck).ok()).isTrue();
        }
    }

    @Test
    void a_fence_that_is_used_up_fails_only_its_own_key() {
        Db.execute(
                dataSource,
                "insert into syncguard_fence_counters (fence_key, fence) values ('fence:full', 900000000000000)");
        List<CompletableFuture<AcquireResult>> results =
                together(List.of(attempt("a"), attempt("b"), attempt("full"), attempt("c")));
        assertThat(results.get(0).join().ok()).isTrue();
        assertThat(results.get(1).join().ok()).isTrue();
        assertThatThrownBy(() -> results.get(2).join()).hasMessageContaining("Fence counter overflow");
        assertThat(results.get(3).join().ok()).isTrue();
        assertThat(Db.number(dataSource, "select count(*) from syncguard_locks where key = 'full'"))
                .isZero();
    }

    @Test
    void a_call_that_was_cancelled_before_it_left_is_not_sent() throws Exception {
        CancelSignal signal = new CancelSignal();
        signal.cancel();
        int before = counts.roundTrips();
        assertThat(store.acquire(attempt("unsent").signal(signal))).isCompletedExceptionally();
        assertThat(counts.roundTrips()).isEqualTo(before);
    }

    @Test
    void closing_fails_what_is_left_and_gives_the_connections_back() {
        String mark = "closing:" + System.nanoTime();
        PGSimpleDataSource named = dataSource;
        named.setApplicationName(mark);
        PostgresLocks closing = PostgresLocks.create(named);
        closing.acquire(AcquireRequest.of("closing").withoutRenewal());
        closing.close();
        assertThat(closing.store().acquire(attempt("late"))).isCompletedExceptionally();
        TestWaits.await()
                .until(() -> Db.number(
                                TestPostgres.dataSource(),
                                "select count(*) from pg_stat_activity where datname = current_database()"
                                        + " and application_name = '" + mark + "'")
                        == 0);
    }
}
