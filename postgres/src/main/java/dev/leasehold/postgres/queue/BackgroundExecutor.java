package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.PostgresErrors;
import dev.leasehold.postgres.internal.Reachability;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.queue.internal.QueueAwait;
import dev.leasehold.spi.Futures;
import dev.leasehold.spi.Timer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Runs blocking JDBC work, such as creating a table or reading a queue's record, in two threads and on borrowed connections. */
final class BackgroundExecutor implements AutoCloseable {
    private static final int THREADS = 2;

    private final DataSource dataSource;
    private final Duration timeout;
    private final Timer timer;
    private final Reachability reachability;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, Timer.daemon("leasehold-tables"));
    private final AtomicInteger connecting = new AtomicInteger();

    BackgroundExecutor(DataSource dataSource, Duration timeout, Timer timer, Reachability reachability) {
        this.dataSource = dataSource;
        this.timeout = timeout;
        this.timer = timer;
        this.reachability = reachability;
    }

    /** Work that blocks on JDBC. */
    interface SqlWork<R> {
        R run() throws SQLException;
    }

    /** Runs work, which fails if it takes longer than a call may: its caller waits for it. */
    <R> CompletableFuture<R> run(SqlWork<R> work) {
        CompletableFuture<R> result = runPatiently(work);
        Future<?> alarm = timer.schedule(
                timeout.toNanos(),
                () -> result.completeExceptionally(
                        reachability.tooLate(timeout, timeout.toNanos(), connecting.get() > 0)));
        Futures.whenDone(result, (value, failure) -> alarm.cancel(false));
        return result;
    }

    /** Runs work of many statements, of which each may take as long as a call. */
    <R> CompletableFuture<R> runPatiently(SqlWork<R> work) {
        CompletableFuture<R> result = new CompletableFuture<>();
        try {
            threads.execute(() -> {
                if (!result.isDone()) {
                    run(work, result);
                }
            });
        } catch (RejectedExecutionException e) {
            result.completeExceptionally(QueueFailures.INSTANCE.closed());
        } catch (Error e) {
            result.completeExceptionally(QueueAwait.failure(e)); // no thread is to be had
        }
        return result;
    }

    /** Whatever happens to the work, an Error too, is the failure of its caller; the thread goes on. */
    private <R> void run(SqlWork<R> work, CompletableFuture<R> result) {
        try {
            result.complete(work.run());
        } catch (SQLException e) {
            result.completeExceptionally(reachability.failed(e));
        } catch (RuntimeException | Error e) {
            result.completeExceptionally(QueueAwait.failure(e));
        }
    }

    /** Does what others may have locked, again and again for as long as a call may take: each try waits for locks for a moment only. */
    <R> R untilUnlocked(SqlWork<R> work) throws SQLException {
        long lastTry =
                System.nanoTime() + timeout.minus(QueueTables.LOCK_TIMEOUT).toNanos();
        while (true) {
            try {
                return work.run();
            } catch (SQLException e) {
                if (!PostgresErrors.isLockTimeout(e) || System.nanoTime() - lastTry > 0) {
                    throw e;
                }
            }
        }
    }

    /** A connection on which nothing takes longer than a call may. */
    BorrowedConnection connection() throws SQLException {
        connecting.incrementAndGet();
        try {
            return BorrowedConnection.from(dataSource, timeout);
        } finally {
            connecting.decrementAndGet();
        }
    }

    /** Runs one statement in a transaction of its own, on a connection that is borrowed for it. */
    <R> List<R> query(Sql sql, Map<String, ? extends @Nullable Object> values, BorrowedConnection.RowReader<R> reader)
            throws SQLException {
        try (BorrowedConnection borrowed = connection()) {
            List<R> rows = borrowed.query(sql, values, reader);
            reachability.answered();
            return rows;
        }
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
