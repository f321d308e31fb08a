package dev.leasehold.postgres.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.ReleaseResult;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** How grants without an owner are given back while the store does not answer. */
class GiveBacksTest {
    private static final Duration TTL = Duration.ofDays(30);

    private final List<Runnable> due = new ArrayList<>();
    private final GiveBacks giveBacks =
            new GiveBacks(wish -> release(), (nanos, work) -> due.add(work), Duration.ofSeconds(5));
    private boolean isDown = true;
    private int released;

    private CompletableFuture<ReleaseResult> release() {
        released++;
        return isDown
                ? CompletableFuture.failedFuture(
                        new LockException(LockErrorCode.SERVICE_UNAVAILABLE, "down", null, null))
                : CompletableFuture.completedFuture(ReleaseResult.RELEASED);
    }

    private void giveBack(int number) {
        for (int i = 0; i < number; i++) {
            var unused = giveBacks.giveBack(
                    ReleaseStatement.Request.giveBack(AcquireAttempt.of(LockKey.of("k" + i), TTL)), TTL);
        }
    }

    /** Lets the time pass that they have asked for; returns how many releases came of it. */
    private int pass() {
        int before = released;
        List<Runnable> now = List.copyOf(due);
        due.clear();
        now.forEach(Runnable::run);
        return released - before;
    }

    @Test
    void a_round_tries_some_of_them_and_when_the_store_answers_all_follow() {
        giveBack(1000);
        assertThat(pass()).isEqualTo(GiveBacks.ROUND);
        assertThat(due).as("one round at a time").hasSize(1);
        assertThat(pass()).isEqualTo(GiveBacks.ROUND);
        isDown = false;
        while (!due.isEmpty()) {
            pass();
        }
        assertThat(giveBacks.pending()).isZero();
    }

    @Test
    void so_many_are_retried_and_no_more() {
        giveBack(GiveBacks.MOST + 10);
        assertThat(released).as("each is tried").isEqualTo(GiveBacks.MOST + 10);
        assertThat(giveBacks.pending()).isEqualTo(GiveBacks.MOST);
    }

    @Test
    void an_acquire_that_was_never_sent_is_not_given_back() {
        try (PostgresLocks locks = PostgresLocks.create(new Down())) {
            List<CompletableFuture<?>> calls = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                calls.add(locks.store().acquire(AcquireAttempt.of(LockKey.of("k" + i), TTL)));
            }
            calls.forEach(call -> assertThat(call).failsWithin(Duration.ofSeconds(30)));
            assertThat(locks.store().giveBacks.pending()).isZero();
        }
    }

    /** A server that refuses connections. */
    private static final class Down extends PGSimpleDataSource {
        private static final long serialVersionUID = 1L;

        @Override
        public Connection getConnection() throws SQLException {
            throw new SQLException("refused", "08001");
        }
    }
}
