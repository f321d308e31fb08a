package dev.leasehold.postgres.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockLostException;
import dev.leasehold.postgres.Db;
import dev.leasehold.testkit.TestClock;
import dev.leasehold.testkit.TestWaits;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Work in a transaction that commits only under the lock, in one line. */
@Timeout(TestWaits.TEST_LIMIT)
@Tag("slow")
class InTransactionTest {
    private final PGSimpleDataSource dataSource = Db.withTables();
    private final TestClock clock = new TestClock();
    private PostgresLocks locks;

    @BeforeEach
    void open() {
        Db.execute(dataSource, "create table counter (value bigint); insert into counter values (0)");
        locks = PostgresLocks.builder(dataSource).testClock(clock).build();
    }

    @AfterEach
    void close() {
        locks.close();
    }

    private long counter() {
        return Db.number(dataSource, "select value from counter");
    }

    @Test
    void what_is_read_and_written_under_the_lock_misses_no_step() {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(CompletableFuture.runAsync(this::raiseFiveTimes));
        }
        all.forEach(CompletableFuture::join);
        assertThat(counter()).isEqualTo(40);
        assertThat(locks.isLocked("counter")).isFalse();
    }

    private void raiseFiveTimes() {
        for (int i = 0; i < 5; i++) {
            try {
                locks.inTransaction(AcquireRequest.of("counter").waitFor(TestWaits.LIMIT), connection -> {
                    long value = Db.number(connection, "select value from counter");
                    Db.execute(connection, "update counter set value = " + (value + 1));
                });
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    void an_exception_rolls_back_and_the_lock_is_free() {
        assertThatThrownBy(() -> locks.inTransaction("counter", connection -> {
                    Db.execute(connection, "update counter set value = 7");
                    throw new IOException("the mill is broken");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("the mill is broken");
        assertThat(counter()).isZero();
        assertThat(locks.isLocked("counter")).isFalse();
    }

    @Test
    void a_lock_that_was_lost_meanwhile_commits_nothing() {
        AcquireRequest brief =
                AcquireRequest.of("counter").ttl(Duration.ofMinutes(1)).withoutRenewal();
        assertThatThrownBy(() -> locks.inTransaction(brief, connection -> {
                    Db.execute(connection, "update counter set value = 7");
                    clock.advance(Duration.ofMinutes(2));
                    locks.acquire("counter").close();
                }))
                .isInstanceOf(LockLostException.class);
        assertThat(counter()).isZero();
    }

    @Test
    void a_lock_that_somebody_else_holds_is_waited_for_and_then_refused() {
        locks.acquire("counter");
        AcquireRequest impatient = AcquireRequest.of("counter").waitFor(Duration.ofMillis(10));
        assertThatThrownBy(() -> locks.inTransaction(impatient, connection -> {}))
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.ACQUISITION_TIMEOUT));
    }

    @Test
    void work_may_have_a_result() throws SQLException {
        long value = locks.<Long, RuntimeException>callInTransaction(
                AcquireRequest.of("counter"), connection -> Db.number(connection, "select value + 1 from counter"));
        assertThat(value).isEqualTo(1);
    }
}
