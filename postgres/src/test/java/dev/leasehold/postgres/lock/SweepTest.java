package dev.leasehold.postgres.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.postgres.Db;
import dev.leasehold.postgres.internal.StoreClock;
import dev.leasehold.testkit.TestClock;
import dev.leasehold.testkit.TestWaits;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Rows of locks that died unreleased go; live ones, young dead ones and fence counters never. */
class SweepTest {
    private final TestClock clock = new TestClock();
    private final PGSimpleDataSource dataSource = Db.withTables();
    private PostgresLocks locks;

    @BeforeEach
    void open() {
        locks = PostgresLocks.builder(dataSource)
                .testClock(clock)
                .cleanupInIsLocked(true)
                .sweepEvery(Duration.ZERO)
                .build();
    }

    @AfterEach
    void close() {
        locks.close();
    }

    private void leave(String key, Duration ttl) {
        locks.acquire(AcquireRequest.of(key).ttl(ttl).withoutRenewal());
    }

    private long rows(String key) {
        return Db.number(dataSource, "select count(*) from syncguard_locks where key = '" + key + "'");
    }

    @Test
    void is_locked_cleans_up_what_has_been_dead_for_two_seconds_and_nothing_younger() {
        clock.stop();
        leave("old", Duration.ofSeconds(1));
        clock.advance(Duration.ofMillis(2_500));
        assertThat(locks.isLocked("old")).isFalse();
        assertThat(locks.isLocked("old")).isFalse();
        assertThat(rows("old")).as("dead for a second and a half").isEqualTo(1);
        clock.advance(Duration.ofSeconds(1));
        assertThat(locks.isLocked("old")).isFalse();
        TestWaits.await().until(() -> rows("old") == 0);
        assertThat(Db.number(dataSource, "select fence from syncguard_fence_counters where fence_key = 'fence:old'"))
                .isEqualTo(1);
        assertThat(locks.acquire("old").fence().value()).isEqualTo(2);
    }

    @Test
    void is_locked_is_a_pure_read_unless_asked() {
        try (PostgresLocks pure = PostgresLocks.builder(dataSource)
                .testClock(clock)
                .sweepEvery(Duration.ZERO)
                .build()) {
            leave("kept", Duration.ofSeconds(1));
            clock.advance(Duration.ofMinutes(1));
            for (int i = 0; i < 5; i++) {
                assertThat(pure.isLocked("kept")).isFalse();
            }
            assertThat(rows("kept")).isEqualTo(1);
        }
    }

    @Test
    void one_sweep_takes_all_that_is_dead_however_much_it_is() {
        Db.execute(
                dataSource,
                "insert into syncguard_locks (key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key)"
                        + " select 'many:' || i, 'id' || i, 1, 1, '000000000000001', 'many:' || i"
                        + " from generate_series(1, 2500) i");
        PostgresLockConfig config = new PostgresLockConfig(
                dataSource,
                dataSource,
                LockTables.DEFAULT,
                1,
                Integer.MAX_VALUE,
                Duration.ofSeconds(5),
                Duration.ZERO,
                false,
                new StoreClock(clock));
        try (PostgresLockStore store = new PostgresLockStore(config)) {
            store.sweep(RowCountStatement.ALL);
            TestWaits.await().until(() -> Db.number(dataSource, "select count(*) from syncguard_locks") == 0);
        }
    }

    @Test
    void the_background_sweep_takes_the_dead_and_leaves_the_living() {
        leave("dead", Duration.ofSeconds(1));
        clock.advance(Duration.ofMinutes(1));
        leave("living", Duration.ofMinutes(1));
        try (PostgresLocks sweeping = PostgresLocks.builder(dataSource)
                .testClock(clock)
                .sweepEvery(Duration.ofMillis(50))
                .build()) {
            TestWaits.await().until(() -> rows("dead") == 0);
            assertThat(sweeping.isLocked("living")).isTrue();
        }
        assertThat(Db.number(dataSource, "select count(*) from syncguard_fence_counters"))
                .isEqualTo(2);
    }
}
