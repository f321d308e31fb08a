package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.PostgresErrors;
import dev.leasehold.postgres.internal.Sql;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.spi.Futures;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Vacuums the table of a partition after many of its items were completed.
 *
 * <p>Autovacuum looks at a table once a minute at most. In that time a busy queue leaves a million dead rows, and a file of hundreds of
 * megabytes for a few live ones. One table at a time, and at most an eleventh of the time: the pause grows with the duration of the last
 * vacuum, which is long when an open snapshot keeps dead rows or when there is a great backlog.
 */
final class PartitionVacuum {
    static final long ITEMS = 10_000;
    private static final int REST = 10;
    private static final Logger log = LoggerFactory.getLogger(PartitionVacuum.class);

    private final BackgroundExecutor background;
    private final QueueTables tables;
    private final Map<String, Long> left = new ConcurrentHashMap<>();
    private final AtomicBoolean busy = new AtomicBoolean();
    private volatile long restUntilNanos = System.nanoTime();
    private volatile boolean allowed = true;

    PartitionVacuum(BackgroundExecutor background, QueueTables tables) {
        this.background = background;
        this.tables = tables;
    }

    /** Items were completed in a partition. */
    void completed(PartitionRef partition, int items) {
        String table = QueueTables.items(partition);
        long since = left.merge(table, (long) items, Long::sum);
        boolean worthIt = since >= ITEMS && allowed && System.nanoTime() - restUntilNanos >= 0;
        if (worthIt && busy.compareAndSet(false, true)) {
            left.remove(table);
            long begin = System.nanoTime();
            Futures.whenDone(background.runPatiently(() -> vacuum(partition)), (done, failure) -> {
                long end = System.nanoTime();
                restUntilNanos = end + REST * (end - begin);
                busy.set(false);
                log.debug("event=partition_vacuumed table={} micros={}", table, (end - begin) / 1000, failure);
            });
        }
    }

    void forget(PartitionRef partition) {
        left.remove(QueueTables.items(partition));
    }

    /** Whether it was given up because the role lacks the right. */
    boolean isOff() {
        return !allowed;
    }

    private boolean vacuum(PartitionRef partition) throws SQLException {
        try (BorrowedConnection borrowed = background.connection();
                Statement statement = borrowed.connection().createStatement()) {
            statement.execute(Sql.read("queue/vacuum_partition", tables.placeholders(partition)));
            SQLWarning warning = statement.getWarnings();
            if (warning != null && !PostgresErrors.isLockTimeout(warning)) {
                allowed = false; // and it would be warned of in the server's log every time
                log.info("event=vacuum_not_permitted reason={}", warning.getMessage());
            }
            return allowed;
        }
    }
}
