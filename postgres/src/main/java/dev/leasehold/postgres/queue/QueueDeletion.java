package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.internal.PostgresErrors;
import dev.leasehold.postgres.internal.Rows;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.spi.BusyException;
import dev.leasehold.spi.Futures;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes queues in two steps: a queue is invisible once it is marked as deleted, and its name is free once its tables are dropped. */
final class QueueDeletion {
    private static final Logger log = LoggerFactory.getLogger(QueueDeletion.class);

    private final Map<String, QueueEngine> engines;
    private final QueueEngine home;
    private final AtomicBoolean finishing = new AtomicBoolean();

    /** @param home the one that has the truth */
    QueueDeletion(Map<String, QueueEngine> engines, QueueEngine home) {
        this.engines = engines;
        this.home = home;
    }

    /**
     * Marks a queue as deleted, drops its tables wherever they are, and lets go of its name. May be repeated until it is through:
     * home, from where it is repeated, forgets the queue last. Returns false if the queue has gone, or stays because another names it.
     */
    boolean finish(String name, long uid) throws SQLException {
        Optional<List<String>> begun = begin(home, name, uid);
        if (begun.isEmpty()) {
            home.timelines.bringUp(name, uid, true);
            return false;
        }
        List<QueueEngine> all = new ArrayList<>();
        for (String store : new LinkedHashSet<>(begun.get())) {
            all.add(engine(store));
        }
        all.remove(home);
        for (QueueEngine other : all) {
            begin(other, name, uid);
        }
        all.add(home);
        for (QueueEngine engine : all) {
            drop(engine, name, uid);
        }
        for (QueueEngine engine : all) {
            end(engine, name, uid);
        }
        return true;
    }

    /** Deletes the copy of a queue that home no longer has. May be repeated until it is through. */
    void finishCopy(QueueEngine engine, String name, long uid) throws SQLException {
        if (begin(engine, name, uid).isPresent()) {
            drop(engine, name, uid);
            end(engine, name, uid);
        }
    }

    private static void end(QueueEngine engine, String name, long uid) throws SQLException {
        RecordStatements.execute(engine, "delete_end", Map.of("name", name, "uid", uid));
    }

    private static void drop(QueueEngine engine, String name, long uid) throws SQLException {
        try {
            engine.itemTables.drop(name, uid);
        } catch (SQLException e) {
            if (PostgresErrors.isLockTimeout(e)) {
                throw new BusyException(
                        QueueErrorCode.NETWORK_TIMEOUT,
                        "queue '" + name
                                + "' is deleted, but a transaction that is still open uses its tables: they are"
                                + " dropped when it has ended, and until then the name is taken",
                        e);
            }
            throw e;
        }
    }

    private QueueEngine engine(String store) {
        QueueEngine engine = engines.get(store);
        if (engine == null) {
            throw new QueueException(
                    QueueErrorCode.INTERNAL, "a queue has partitions in the store '" + store + "', which is not here");
        }
        return engine;
    }

    /** Returns the stores of the partitions; empty if there is no such queue any more, or another names it as its dead queue. */
    private Optional<List<String>> begin(QueueEngine engine, String name, long uid) throws SQLException {
        Map<String, Object> which = Map.of("name", name, "uid", uid, "is_home", engine == home ? 1L : 0L);
        return RecordStatements.change(engine, "delete_begin", which, QueueRows::stores);
    }

    /** Resumes unfinished deletions in the background: a store that they need may be unreachable. */
    void finishAll() {
        if (finishing.compareAndSet(false, true)) {
            Futures.whenDone(
                    home.background.runPatiently(() -> {
                        engines.values().forEach(this::finishAll);
                        return true;
                    }),
                    (done, failure) -> finishing.set(false));
        }
    }

    private void finishAll(QueueEngine engine) {
        try {
            unfinished(engine).forEach((name, uid) -> tryFinish(engine, name, uid));
        } catch (SQLException | RuntimeException e) {
            log.debug("event=deletes_not_read", e);
        }
    }

    private void tryFinish(QueueEngine engine, String name, long uid) {
        try {
            if (engine == home) {
                finish(name, uid);
            } else if (!isLive(name, uid)) {
                finishCopy(engine, name, uid);
            }
        } catch (SQLException | RuntimeException e) {
            log.debug("event=delete_not_finished queue={}", name, e);
        }
    }

    /** Whether home has this queue and has not marked it as deleted. */
    boolean isLive(String name, long uid) throws SQLException {
        return RecordStatements.query(home, "get", Map.of("name", name)).stream()
                .anyMatch(current -> current.uid() == uid);
    }

    /** The uids of queues that are marked as deleted in a store, by name. */
    static Map<String, Long> unfinished(QueueEngine engine) throws SQLException {
        Map<String, Long> found = new LinkedHashMap<>();
        engine.background.query(
                RecordStatements.sql(engine, "unfinished_deletions"),
                Map.of(),
                row -> found.put(Rows.text(row, "name"), row.getLong("uid")));
        return found;
    }
}
