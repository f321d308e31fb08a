package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.Trouble;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.internal.QueueAwait;
import dev.leasehold.spi.Futures;
import dev.leasehold.spi.Timer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.postgresql.ds.common.BaseDataSource;

/** The threads for work that speaks JDBC by itself, such as making a table, and the connections that it borrows. */
final class Background implements AutoCloseable {
    private static final int THREADS = 2;

    private final DataSource dataSource;
    private final Duration timeout;
    private final Timer timer;
    private final boolean pooling;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, Timer.daemon("leasehold-tables"));
    private final AtomicInteger connecting = new AtomicInteger();

    Background(DataSource dataSource, Duration timeout, Timer timer) {
        this.dataSource = dataSource;
        this.timeout = timeout;
        this.timer = timer;
        this.pooling = !(dataSource instanceof BaseDataSource);
    }

    /** Work that speaks JDBC. */
    interface SqlWork<R> {
        R run() throws SQLException;
    }

    /** Runs work, which fails if it takes longer than a call may: its caller waits for it. */
    <R> CompletableFuture<R> run(SqlWork<R> work) {
        CompletableFuture<R> result = runPatiently(work);
        Future<?> alarm = timer.schedule(timeout.toNanos(), () -> result.completeExceptionally(tooLate()));
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
        }
        return result;
    }

    private static <R> void run(SqlWork<R> work, CompletableFuture<R> result) {
        try {
            result.complete(work.run());
        } catch (SQLException e) {
            result.completeExceptionally(QueueFailures.map(e));
        } catch (RuntimeException e) {
            result.completeExceptionally(QueueAwait.failure(e));
        }
    }

    /** A connection on which nothing takes longer than a call may. */
    Borrowed connection() throws SQLException {
        connecting.incrementAndGet();
        try {
            return Borrowed.from(dataSource, timeout);
        } finally {
            connecting.decrementAndGet();
        }
    }

    private QueueException tooLate() {
        String after = " within " + timeout.toMillis() + "ms";
        return connecting.get() > 0 && pooling
                ? QueueFailures.INSTANCE.failure(
                        Trouble.RATE_LIMITED, "The pool had no connection to give" + after, null)
                : QueueFailures.INSTANCE.failure(Trouble.NETWORK_TIMEOUT, "PostgreSQL did not answer" + after, null);
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
