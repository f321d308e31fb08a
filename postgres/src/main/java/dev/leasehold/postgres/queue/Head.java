package dev.leasehold.postgres.queue;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where in a partition leases begin: behind the items that are gone.
 *
 * <p>A row that is gone stays in the index of ready items until a vacuum takes it away, and as long as anybody holds a snapshot open
 * it takes none. Leases that begin at the first entry then read all that has gone through the partition since. To begin behind it, a
 * node must know that nothing will turn up there:
 *
 * <ol>
 *   <li>A survey tells which id is drawn next. All lower ones have been drawn, by transactions that had their numbers before.
 *   <li>The survey after it tells the number of the next transaction. Who has drawn those ids has a lower one.
 *   <li>Once a survey sees nobody under way with a lower number, all items with those ids are there for it to be seen, or will never
 *       be. Leases then begin at the first of them that it sees ready, or behind them if there is none.
 * </ol>
 *
 * An item that is retried, or whose lease ends, gets a new number; one that is given back keeps its own, and leases of this node begin
 * with it again. Leases of another node may pass over it for a moment. For that, and lest anything else rely on this, every now and
 * then one begins at the very beginning: after a tenth of a second, and after twenty times as long as the last took.
 */
final class Head {
    private static final Logger log = LoggerFactory.getLogger(Head.class);

    /** How many items are leased from one survey to the next. The property is for tests: in a short one too it has to move. */
    static final int ITEMS = Integer.getInteger("leasehold.survey-after", 1000);

    private static final long REST_NANOS = Duration.ofMillis(100).toNanos();
    private static final int REST = 20;

    private long first;
    private long nextId;
    private @Nullable Bound bound;
    private int leased;
    private boolean surveying;
    private int changes;
    private boolean walking;
    private final LongSupplier nanos;
    private long restUntilNanos;

    Head() {
        this(System::nanoTime);
    }

    /** With a clock of the test's own. */
    Head(LongSupplier nanos) {
        this.nanos = nanos;
        this.restUntilNanos = nanos.getAsLong();
    }

    /** Ids that have been drawn by transactions with lower numbers. */
    private record Bound(long id, long xid) {}

    /**
     * A way through the ready items.
     *
     * @param first the id it begins with, 0 for the very beginning
     * @param known where it could have begun
     */
    record Way(long first, long known, long beganNanos) {}

    /**
     * What head.sql tells.
     *
     * @param readyId null if no item is ready
     */
    record Survey(@Nullable Long readyId, long nextId, long nextXid, long oldestXid) {
        static Survey read(ResultSet row) throws SQLException {
            return new Survey(
                    row.getObject("ready_id", Long.class),
                    row.getLong("next_id"),
                    row.getLong("next_xid"),
                    row.getLong("oldest_xid"));
        }
    }

    /** Where a lease begins now. */
    synchronized Way begin() {
        long now = nanos.getAsLong();
        if (walking || now - restUntilNanos < 0) {
            return new Way(first, first, now);
        }
        walking = first > 0;
        return new Way(0, first, now);
    }

    /** It has ended, one way or another. */
    synchronized void ended(Way way) {
        if (way.first < way.known) {
            long now = nanos.getAsLong();
            walking = false;
            restUntilNanos = now + Math.max(REST_NANOS, REST * (now - way.beganNanos));
        }
    }

    /** Where it led to. Something before the place where others begin: there may be more of it. */
    synchronized void found(Way way, long lowest) {
        if (lowest < way.known) {
            back(lowest);
        }
    }

    /** An item is given back, or was. */
    synchronized void back(long id) {
        first = Math.min(first, id);
        changes++;
    }

    /** Where the next survey begins, if it is time for one: there have been this many leases more. */
    synchronized @Nullable Start leased(int items) {
        leased += items;
        if (surveying || leased < ITEMS) {
            return null;
        }
        surveying = true;
        leased = 0;
        return new Start(first, changes);
    }

    /** Where a survey begins, and what had happened until then. */
    record Start(long first, int changes) {}

    /** A survey has ended; null if it has failed. What was given back since it began makes it old. */
    synchronized void surveyed(Start start, @Nullable Survey survey) {
        surveying = false;
        if (survey == null || start.changes != changes) {
            nextId = 0;
            bound = null;
            return;
        }
        Bound settled = bound;
        if (settled != null && survey.oldestXid >= settled.xid) {
            first = survey.readyId == null ? settled.id : Math.min(settled.id, survey.readyId);
            bound = null;
            log.debug("event=lease_start_moved first={}", first);
        }
        if (bound == null && nextId > 0) {
            bound = new Bound(nextId, survey.nextXid);
        }
        nextId = survey.nextId;
    }
}
