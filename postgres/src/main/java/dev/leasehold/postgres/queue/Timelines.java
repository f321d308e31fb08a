package dev.leasehold.postgres.queue;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that no number is drawn twice after a failover.
 *
 * <p>A standby that is promoted begins a new timeline of its log. If it had not got the last commits, its sequences have gone back. So
 * a queue has the timeline in which its sequences were last moved on, and every statement that draws from them asks whether the
 * server is still in it. If it is not, the queue is not as the caller knows it, and is brought up to date here; then the call is
 * repeated. Some managed servers do not tell their timeline: there nobody asks.
 */
final class Timelines {
    private static final Logger log = LoggerFactory.getLogger(Timelines.class);

    /** How many sequences are moved on in one transaction: it has a lock on each. */
    private static final int AT_ONCE = 500;

    /** What is wrong with a server or a connection, and so says nothing of what the server can do. */
    private static final List<String> TROUBLE = List.of("08", "25", "28", "53", "55", "57", "58");

    private final QueueEngine engine;
    private volatile @Nullable Boolean isTold;

    Timelines(QueueEngine engine) {
        this.engine = engine;
    }

    /** 1 if the server tells its timeline, otherwise 0: a parameter of statements. It is asked once. */
    long isTold() throws SQLException {
        Boolean known = isTold;
        if (known == null) {
            known = ask();
            isTold = known;
        }
        return known ? 1 : 0;
    }

    private boolean ask() throws SQLException {
        try (BorrowedConnection borrowed = engine.background.connection();
                PreparedStatement statement =
                        RecordStatements.sql(engine, "server_timeline").prepareOnce(borrowed.connection(), Map.of());
                ResultSet row = statement.executeQuery()) {
            return row.next();
        } catch (SQLException e) {
            String state = e.getSQLState();
            if (state == null || TROUBLE.contains(state.substring(0, 2))) {
                throw e;
            }
            log.info("event=timeline_not_told state={}", state);
            return false;
        }
    }

    /** What is to be known of a queue here. */
    private record Standing(int timeline, int server, int partitions) {}

    /** Moves the sequences of a queue on if the server has begun a new timeline since that was last done. */
    void bringUp(String name, long uid, boolean isHome) throws SQLException {
        Optional<Standing> standing = RecordStatements.change(
                engine,
                "queue_timeline",
                Map.of("name", name, "uid", uid, "tells_timeline", isTold()),
                row -> new Standing(
                        row.getInt("timeline"),
                        row.getInt("server_timeline"),
                        QueueRows.stores(row).size()));
        if (standing.isEmpty() || standing.get().timeline() == standing.get().server()) {
            return;
        }
        long timeline = standing.get().server();
        if (timeline > 0) {
            jump(name, timeline, standing.get().partitions());
        }
        Map<String, Object> values =
                Map.of("name", name, "uid", uid, "timeline", timeline, "is_home", isHome ? 1L : 0L);
        RecordStatements.change(engine, "record_timeline", values, row -> true)
                .ifPresent(done -> log.info("event=timeline_changed queue={} timeline={}", name, timeline));
    }

    private void jump(String name, long timeline, int partitions) throws SQLException {
        String hash = QueueHash.of(name);
        for (int first = 0; first < partitions; first += AT_ONCE) {
            String[] sequences = IntStream.range(first, Math.min(partitions, first + AT_ONCE))
                    .mapToObj(number -> QueueTables.quoted(QueueTables.items(hash, number) + "_seq"))
                    .toArray(String[]::new);
            RecordStatements.execute(engine, "advance_sequences", Map.of("timeline", timeline, "sequences", sequences));
        }
    }
}
