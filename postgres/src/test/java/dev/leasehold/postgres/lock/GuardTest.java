package dev.leasehold.postgres.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockLostException;
import dev.leasehold.postgres.Db;
import dev.leasehold.testkit.TestWaits;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A guarded transaction commits only if the lock is still held, and nobody takes the lock before it ends. */
@Timeout(TestWaits.TEST_LIMIT)
class GuardTest extends GuardedLedger {
    private static final PGSimpleDataSource TABLES = withLedger("create table ledger (entry text)");

    GuardTest() {
        super(TABLES);
    }

    @ParameterizedTest
    @ValueSource(ints = {READ_COMMITTED, REPEATABLE_READ, SERIALIZABLE})
    void a_holder_commits(int isolation) throws SQLException {
        HeldLock lock = acquire();
        try (Connection connection = Db.transaction(dataSource, isolation)) {
            lock.guard(connection);
            post(connection, "one");
            connection.commit();
        }
        assertThat(entries()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {READ_COMMITTED, REPEATABLE_READ, SERIALIZABLE})
    void a_holder_that_lost_the_lock_before_its_transaction_cannot_commit(int isolation) throws SQLException {
        HeldLock stale = acquire();
        outlive();
        others.acquire("ledger");
        try (Connection connection = Db.transaction(dataSource, isolation)) {
            post(connection, "stale");
            assertThatThrownBy(() -> stale.guard(connection)).isInstanceOf(LockLostException.class);
            commitWhateverHappens(connection);
        }
        assertThat(entries()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {READ_COMMITTED, REPEATABLE_READ, SERIALIZABLE})
    void a_holder_whose_lock_was_taken_away_cannot_commit(int isolation) throws SQLException {
        HeldLock hanging = acquire();
        assertThat(others.admin()
                        .forceRelease(hanging.key(), hanging.fence(), "it hangs")
                        .join())
                .isTrue();
        try (Connection connection = Db.transaction(dataSource, isolation)) {
            post(connection, "stale");
            assertThatThrownBy(() -> hanging.guard(connection)).isInstanceOf(LockLostException.class);
            commitWhateverHappens(connection);
        }
        assertThat(entries()).isZero();
    }

    @Test
    void a_lock_cannot_be_taken_away_while_a_guarded_transaction_may_still_commit() throws SQLException {
        HeldLock lock = acquire();
        try (Connection connection = Db.transaction(dataSource)) {
            lock.guard(connection);
            assertThatThrownBy(() -> hasty.admin()
                            .forceRelease(lock.key(), lock.fence(), "too early")
                            .join())
                    .hasCauseInstanceOf(LockException.class);
            post(connection, "one");
            connection.commit();
        }
        assertThat(others.admin().forceRelease(lock.key(), lock.fence(), "now").join())
                .isTrue();
        assertThat(entries()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {READ_COMMITTED, REPEATABLE_READ, SERIALIZABLE})
    void a_holder_that_lost_the_lock_after_its_snapshot_cannot_commit(int isolation) throws SQLException {
        HeldLock stale = acquire();
        try (Connection connection = Db.transaction(dataSource, isolation)) {
            post(connection, "stale");
            outlive();
            others.acquire("ledger");
            assertThatThrownBy(() -> stale.guard(connection)).isInstanceOf(LockLostException.class);
            commitWhateverHappens(connection);
        }
        assertThat(entries()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {READ_COMMITTED, REPEATABLE_READ, SERIALIZABLE})
    void a_lock_that_was_released_after_the_snapshot_guards_nothing(int isolation) throws SQLException {
        HeldLock lock = acquire();
        try (Connection connection = Db.transaction(dataSource, isolation)) {
            post(connection, "late");
            lock.release();
            assertThatThrownBy(() -> lock.guard(connection)).isInstanceOf(LockLostException.class);
            commitWhateverHappens(connection);
        }
        assertThat(entries()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {READ_COMMITTED, REPEATABLE_READ, SERIALIZABLE})
    void an_extension_after_the_snapshot_does_not_disturb_the_guard(int isolation) throws SQLException {
        HeldLock lock = acquire();
        try (Connection connection = Db.transaction(dataSource, isolation)) {
            post(connection, "one");
            assertThat(lock.extend(TTL)).isTrue();
            lock.guard(connection);
            connection.commit();
        }
        assertThat(entries()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {REPEATABLE_READ, SERIALIZABLE})
    void a_snapshot_from_before_the_last_renewal_is_told_from_a_lost_lock(int isolation) throws SQLException {
        HeldLock lock = acquire();
        try (Connection connection = Db.transaction(dataSource, isolation)) {
            post(connection, "old");
            clock.advance(Duration.ofSeconds(20));
            assertThat(lock.extend(TTL)).isTrue();
            clock.advance(Duration.ofSeconds(20));
            assertThatThrownBy(() -> lock.guard(connection))
                    .isInstanceOfSatisfying(
                            LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.SERVICE_UNAVAILABLE))
                    .hasMessageContaining("snapshot");
            commitWhateverHappens(connection);
        }
        assertThat(entries()).isZero();
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void a_guard_that_fails_tells_the_handle_that_its_lock_is_lost() throws Exception {
        HeldLock stale = acquire();
        CompletableFuture<Boolean> told = new CompletableFuture<>();
        stale.onLost(() -> told.complete(true));
        outlive();
        others.acquire("ledger");
        try (Connection connection = Db.transaction(dataSource)) {
            assertThatThrownBy(() -> stale.guard(connection)).isInstanceOf(LockLostException.class);
            connection.rollback();
        }
        assertThat(stale.isHeld()).isFalse();
        assertThat(TestWaits.get(told)).isTrue();
    }

    @Test
    void nobody_takes_the_lock_between_guard_and_commit_even_when_it_has_expired() throws Exception {
        HeldLock lock = acquire();
        try (Connection connection = Db.transaction(dataSource)) {
            lock.guard(connection);
            outlive();
            assertThat(hasty.tryAcquire("ledger")).isEmpty();
            post(connection, "one");
            connection.commit();
        }
        assertThat(others.tryAcquire("ledger")).isPresent();
        assertThat(entries()).isEqualTo(1);
    }

    @Test
    void the_lock_can_be_extended_while_it_is_guarded() throws SQLException {
        HeldLock lock = acquire();
        try (Connection connection = Db.transaction(dataSource)) {
            lock.guard(connection);
            assertThat(lock.extend(TTL)).isTrue();
            connection.commit();
        }
    }

    @Test
    void a_release_waits_for_the_guard_to_end() throws Exception {
        HeldLock lock = acquire();
        CompletableFuture<Boolean> released;
        try (Connection connection = Db.transaction(dataSource)) {
            lock.guard(connection);
            released = CompletableFuture.supplyAsync(lock::release);
            assertThat(hasty.tryAcquire("ledger")).isEmpty();
            assertThat(released).isNotDone();
            connection.commit();
        }
        assertThat(TestWaits.get(released)).isTrue();
    }

    @Test
    void a_release_by_id_of_a_guarded_lock_fails_in_time_and_tells_why() throws Exception {
        HeldLock lock = acquire();
        try (Connection connection = Db.transaction(dataSource)) {
            lock.guard(connection);
            assertThatThrownBy(() -> hasty.byLockId().release(lock.lockId().value()))
                    .isInstanceOfSatisfying(LockException.class, e -> {
                        assertThat(e.code()).isEqualTo(LockErrorCode.NETWORK_TIMEOUT);
                        assertThat(e).hasMessageContaining("a guard that has not ended");
                    });
            connection.commit();
        }
        assertThat(locks.isLocked("ledger")).isTrue();
    }

    @Test
    void a_guarded_lock_holds_up_no_other_call() throws Exception {
        HeldLock lock = acquire();
        try (Connection connection = Db.transaction(dataSource)) {
            lock.guard(connection);
            outlive();
            for (int i = 0; i < 20; i++) {
                assertThat(hasty.tryAcquire("ledger")).isEmpty();
                others.acquire("other:" + i).close();
            }
            connection.rollback();
        }
    }

    @Test
    void a_guard_needs_a_transaction() throws SQLException {
        HeldLock lock = acquire();
        try (Connection connection = dataSource.getConnection()) {
            assertThatThrownBy(() -> lock.guard(connection))
                    .isInstanceOfSatisfying(
                            LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.INVALID_ARGUMENT))
                    .hasMessageContaining("setAutoCommit(false)");
        }
    }

    @Test
    void release_in_gives_the_lock_back_with_the_commit() throws Exception {
        HeldLock lock = acquire();
        try (Connection connection = Db.transaction(dataSource)) {
            assertThat(lock.releaseIn(connection)).isTrue();
            assertThat(hasty.tryAcquire("ledger")).isEmpty();
            assertThat(lock.isHeld()).isFalse();
            connection.commit();
        }
        assertThat(others.tryAcquire("ledger")).isPresent();
    }

    @Test
    void release_in_wakes_who_waits_with_the_commit() throws Exception {
        HeldLock lock = acquire();
        var waiting = others.async().tryAcquire(AcquireRequest.of("ledger").waitFor(Duration.ofMinutes(2)));
        TestWaits.await()
                .until(() -> Db.number(dataSource, "select count(*) from syncguard_locks_waiters where key = 'ledger'")
                        == 1);
        try (Connection connection = Db.transaction(dataSource)) {
            assertThat(lock.releaseIn(connection)).isTrue();
            assertThat(waiting).isNotDone();
            connection.commit();
        }
        assertThat(TestWaits.get(waiting)).isPresent();
    }

    @Test
    void a_lock_whose_release_was_rolled_back_is_given_back_on_close() throws Exception {
        HeldLock lock = acquire();
        try (Connection connection = Db.transaction(dataSource)) {
            assertThat(lock.releaseIn(connection)).isTrue();
            connection.rollback();
        }
        assertThat(locks.isLocked("ledger")).isTrue();
        lock.close();
        TestWaits.await().until(() -> !locks.isLocked("ledger"));
    }

    @Test
    void a_lost_lock_cannot_be_released_in_a_transaction() throws Exception {
        HeldLock stale = acquire();
        outlive();
        HeldLock next = others.acquire("ledger");
        try (Connection connection = Db.transaction(dataSource)) {
            assertThat(stale.releaseIn(connection)).isFalse();
            connection.commit();
        }
        try (Connection connection = Db.transaction(dataSource)) {
            next.guard(connection);
            connection.rollback();
        }
    }

    /** What a caller does who swallows the exception: the database must not let it through. */
    private static void commitWhateverHappens(Connection connection) {
        try {
            connection.commit();
        } catch (SQLException refused) {
            assertThat(refused.getSQLState()).isNotNull();
        }
    }
}
