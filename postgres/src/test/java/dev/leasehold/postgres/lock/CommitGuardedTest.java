package dev.leasehold.postgres.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

/** The commit itself happens only if the lock is still held, and says so if it did not. */
@Timeout(TestWaits.TEST_LIMIT)
class CommitGuardedTest extends GuardedLedger {
    private static final PGSimpleDataSource TABLES = withLedger("""
                create table ledger (entry text unique deferrable initially deferred);
                create function dawdle() returns trigger language plpgsql as $$
                begin
                  if new.entry = 'slow' then
                    perform pg_advisory_xact_lock(4711);
                  end if;
                  return null;
                end $$;
                create constraint trigger dawdle after insert on ledger deferrable initially deferred
                for each row execute function dawdle()
                """);

    CommitGuardedTest() {
        super(TABLES);
    }

    @ParameterizedTest
    @ValueSource(ints = {READ_COMMITTED, REPEATABLE_READ, SERIALIZABLE})
    void a_holder_commits_and_the_connection_goes_on(int isolation) throws SQLException {
        HeldLock lock = acquire();
        try (Connection connection = Db.transaction(dataSource, isolation)) {
            post(connection, "one");
            lock.commitGuarded(connection);
            assertThat(entries()).isEqualTo(1);
            post(connection, "two");
            connection.rollback();
            post(connection, "three");
            lock.commitGuarded(connection);
        }
        assertThat(entries()).isEqualTo(2);
        assertThat(lock.release()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {READ_COMMITTED, REPEATABLE_READ, SERIALIZABLE})
    void nothing_is_committed_when_the_lock_was_taken_after_the_work_began(int isolation) throws SQLException {
        HeldLock stale = acquire();
        try (Connection connection = Db.transaction(dataSource, isolation)) {
            post(connection, "stale");
            outlive();
            others.acquire("ledger");
            assertLost(stale, connection);
        }
        assertThat(stale.isHeld()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {READ_COMMITTED, REPEATABLE_READ, SERIALIZABLE})
    void nothing_is_committed_when_the_lock_has_expired_and_nobody_wants_it(int isolation) throws SQLException {
        HeldLock stale = acquire();
        try (Connection connection = Db.transaction(dataSource, isolation)) {
            post(connection, "late");
            outlive();
            assertLost(stale, connection);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {READ_COMMITTED, REPEATABLE_READ, SERIALIZABLE})
    void nothing_is_committed_when_the_lock_was_released(int isolation) throws SQLException {
        HeldLock lock = acquire();
        try (Connection connection = Db.transaction(dataSource, isolation)) {
            post(connection, "late");
            lock.release();
            assertLost(lock, connection);
        }
    }

    /** The caller goes on as if nothing had happened, which the database must not let through. */
    private void assertLost(HeldLock lock, Connection connection) throws SQLException {
        assertThatThrownBy(() -> lock.commitGuarded(connection)).isInstanceOf(LockLostException.class);
        connection.commit();
        assertThat(entries()).isZero();
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
            assertThatThrownBy(() -> lock.commitGuarded(connection))
                    .isInstanceOfSatisfying(
                            LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.SERVICE_UNAVAILABLE))
                    .hasMessageContaining("snapshot");
            connection.rollback();
        }
        assertThat(entries()).isZero();
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void nobody_takes_the_lock_while_the_commit_is_under_way() throws Exception {
        HeldLock lock = acquire();
        try (Connection brake = Db.transaction(dataSource);
                Connection connection = Db.transaction(dataSource)) {
            Db.execute(brake, "select pg_advisory_xact_lock(4711)");
            post(connection, "slow");
            CompletableFuture<Void> commit = CompletableFuture.runAsync(() -> commit(lock, connection));
            TestWaits.await()
                    .until(() -> Db.number(
                                    dataSource,
                                    "select count(*) from pg_locks where locktype = 'advisory' and objid = 4711"
                                            + " and not granted" + Db.IN_THIS_DATABASE)
                            == 1);
            outlive();
            assertThat(hasty.tryAcquire("ledger")).isEmpty();
            brake.commit();
            TestWaits.get(commit);
        }
        assertThat(entries()).isEqualTo(1);
        assertThat(others.tryAcquire("ledger")).isPresent();
    }

    private static void commit(HeldLock lock, Connection connection) {
        try {
            lock.commitGuarded(connection);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void what_else_keeps_the_commit_from_happening_comes_as_it_is() throws SQLException {
        HeldLock lock = acquire();
        try (Connection connection = Db.transaction(dataSource)) {
            post(connection, "twice");
            post(connection, "twice");
            assertThatThrownBy(() -> lock.commitGuarded(connection))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23505"));
        }
        assertThat(entries()).isZero();
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void a_conflict_of_the_work_itself_is_no_lost_lock() throws SQLException {
        HeldLock lock = acquire();
        try (Connection one = Db.transaction(dataSource, SERIALIZABLE);
                Connection two = Db.transaction(dataSource, SERIALIZABLE)) {
            Db.number(one, "select count(*) from ledger");
            Db.number(two, "select count(*) from ledger");
            post(one, "one");
            post(two, "two");
            two.commit();
            assertThatThrownBy(() -> lock.commitGuarded(one))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"));
        }
        assertThat(entries()).isEqualTo(1);
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void it_needs_a_transaction() throws SQLException {
        HeldLock lock = acquire();
        try (Connection connection = dataSource.getConnection()) {
            assertThatThrownBy(() -> lock.commitGuarded(connection))
                    .isInstanceOfSatisfying(
                            LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.INVALID_ARGUMENT))
                    .hasMessageContaining("setAutoCommit(false)");
        }
    }
}
