package dev.leasehold.postgres.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.postgres.Db;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.testkit.TestWaits;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * What acquire decides when others were granted the key after its snapshot and before its advisory lock. Here its clock waits
 * until the test lets it go on, and by then it has its snapshot.
 */
@Timeout(TestWaits.TEST_LIMIT)
class AcquireRaceTest {
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final int STOP = 4711;
    private static final String STOPPING_CLOCK =
            "(select 1900000000000 from pg_advisory_xact_lock_shared(" + STOP + "))";

    private PGSimpleDataSource dataSource;
    private PostgresLocks locks;

    @BeforeEach
    void open() {
        dataSource = Db.withTables();
        locks = PostgresLocks.create(dataSource);
    }

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void nobody_came_in_between() throws Exception {
        release(acquire("known"));
        assertThat(acquireAround(() -> {}, "new", "known")).containsExactlyInAnyOrder("g new 1", "g known 2");
    }

    @Test
    void who_was_granted_it_in_between_keeps_it() throws Exception {
        release(acquire("known"));
        List<Granted> theirs = new ArrayList<>();
        assertThat(acquireAround(() -> theirs.add(acquire("known")), "other", "known"))
                .containsExactly("g other 1");
        assertThat(locks.byLockId().release(theirs.get(0).lockId().value())).isTrue();
        assertThat(acquire("known").fence().value()).isEqualTo(3);
    }

    @Test
    void who_was_granted_it_as_the_first_ever_keeps_it() throws Exception {
        List<Granted> theirs = new ArrayList<>();
        assertThat(acquireAround(() -> theirs.add(acquire("new")), "new")).isEmpty();
        assertThat(theirs.get(0).fence().value()).isOne();
        assertThat(locks.byLockId().release(theirs.get(0).lockId().value())).isTrue();
    }

    @Test
    void a_syncguard_client_that_was_granted_it_in_between_keeps_it() throws Exception {
        release(acquire("known"));
        SyncGuardClient syncGuard = new SyncGuardClient(dataSource);
        List<String> theirs = new ArrayList<>();
        assertThat(acquireAround(
                        () -> {
                            theirs.add(syncGuard
                                    .acquire("known", 30_000)
                                    .orElseThrow()
                                    .lockId());
                            theirs.add(syncGuard
                                    .acquire("new", 30_000)
                                    .orElseThrow()
                                    .lockId());
                        },
                        "known",
                        "new"))
                .isEmpty();
        for (String lockId : theirs) {
            assertThat(syncGuard.release(lockId)).isTrue();
        }
    }

    /** It could be granted, but who cannot tell that it is free again says nothing: it is asked again, and the fence has no gap. */
    @Test
    void what_was_granted_and_released_in_between_is_asked_for_again() throws Exception {
        release(acquire("known"));
        assertThat(acquireAround(() -> release(acquire("known")), "known")).isEmpty();
        assertThat(acquire("known").fence().value()).isEqualTo(3);
    }

    @Test
    void a_row_that_was_written_by_hand_and_without_a_fence_is_not_overwritten() {
        release(acquire("known"));
        String byHand = "insert into syncguard_locks (key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key)"
                + " values ('known', 'by hand', 1900000099999, 1900000000000, '000000000000001', 'known')";
        assertThatThrownBy(() -> acquireAround(() -> Db.execute(dataSource, byHand), "known"))
                .hasRootCauseInstanceOf(SQLException.class)
                .rootCause()
                .hasMessageContaining("duplicate key");
        assertThat(Db.number(dataSource, "select count(*) from syncguard_locks where lock_id = 'by hand'"))
                .isOne();
    }

    @Test
    void who_has_the_advisory_lock_is_not_disturbed() throws Exception {
        release(acquire("known"));
        try (Connection busy = Db.transaction(dataSource)) {
            Db.execute(busy, "select pg_advisory_xact_lock(hashtext('known'))");
            assertThat(acquireAround(() -> {}, "known")).isEmpty();
        }
        assertThat(acquire("known").fence().value()).isEqualTo(2);
    }

    private interface Action {
        void run() throws Exception;
    }

    /** What comes out of acquire.sql for {@code keys}, if all this happens between its snapshot and its advisory lock. */
    private List<String> acquireAround(Action inBetween, String... keys) throws Exception {
        try (Connection stopper = dataSource.getConnection()) {
            Db.execute(stopper, "select pg_advisory_lock(" + STOP + ")");
            CompletableFuture<List<String>> outcomes = CompletableFuture.supplyAsync(() -> acquireSlowly(keys));
            TestWaits.await()
                    .until(() -> Db.number(
                                    stopper,
                                    "select count(*) from pg_locks where locktype = 'advisory' and not granted"
                                            + Db.IN_THIS_DATABASE + " and objid = " + STOP)
                            == 1);
            inBetween.run();
            Db.execute(stopper, "select pg_advisory_unlock(" + STOP + ")");
            return outcomes.get();
        }
    }

    private List<String> acquireSlowly(String... keys) {
        Map<String, String> placeholders = new HashMap<>(LockTables.DEFAULT.placeholders());
        placeholders.put("clock", STOPPING_CLOCK);
        Map<String, @Nullable Object> values = new HashMap<>();
        Map<String, String> keyOf = new HashMap<>();
        long[] ttls = new long[keys.length];
        String[] lockIds = new String[keys.length];
        for (int i = 0; i < keys.length; i++) {
            lockIds[i] = LockId.generate().value();
            keyOf.put(lockIds[i], keys[i]);
            ttls[i] = TTL.toMillis();
        }
        values.put("keys", keys);
        values.put("lock_ids", lockIds);
        values.put("ttls_ms", ttls);
        values.put("owners", new String[keys.length]);
        values.put("instance_ids", new String[keys.length]);
        values.put("now", null);
        List<String> outcomes = new ArrayList<>();
        try (Connection connection = dataSource.getConnection();
                PreparedStatement acquire =
                        Sql.load("lock/acquire", placeholders).prepare(connection, values);
                ResultSet row = acquire.executeQuery()) {
            while (row.next()) {
                outcomes.add("%s %s %d"
                        .formatted(
                                row.getString("outcome"), keyOf.get(row.getString("wanted_id")), row.getLong("fence")));
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return outcomes;
    }

    private Granted acquire(String key) {
        return (Granted) locks.store().blocking().acquire(AcquireAttempt.of(LockKey.of(key), TTL));
    }

    private void release(Granted granted) {
        assertThat(locks.byLockId().release(granted.lockId().value())).isTrue();
    }
}
