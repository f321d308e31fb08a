package dev.leasehold.postgres.queue;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the leases of a partition begin to scan: behind the dead index entries.
 *
 * <p>The index of ready items keeps an entry for every row that was leased or deleted until a vacuum removes it, and no vacuum can while
 * an older snapshot is open anywhere. A scan from the first entry then reads everything that has gone through the partition since. To
 * begin behind these entries, a node must know that no item will appear there any more:
 *
 * <ol>
 *   <li>A survey reads which id the sequence draws next. All lower ids have been drawn, by transactions that already had their number.
 *   <li>The survey after it reads the number of the next transaction. The transactions that drew those ids have lower ones.
 *   <li>Once a survey sees no running transaction with a lower number, every item with one of those ids is visible to it, or will never
 *       exist. Scans then begin at the first of these items that is ready, or behind them if none is.
 * </ol>
 *
 * An item that is retried, or whose lease ends, gets a new id. One that is given back keeps its id, and the scans of this node begin at
 * it again. The scans of another node may miss it for a moment. For that, and so that nothing else depends on the proof above, a scan
 * now and then begins at the very first entry: a tenth of a second after the last such scan, and twenty times its duration.
 */
final class LeaseCursor {
    private static final Logger log = LoggerFactory.getLogger(LeaseCursor.class);

    /** How many items are leased between two surveys. The property lets short tests move the cursor too. */
    static final int ITEMS = Integer.getInteger("leasehold.survey-after", 1000);

    private static final long MIN_FULL_SCAN_PAUSE_NANOS = Duration.ofMillis(100).toNanos();
    private static final int FULL_SCAN_PAUSE_FACTOR = 20;

    private long first;
    private long nextId;
    private @Nullable Bound bound;
    private int leased;
    private boolean surveying;
    private int rewinds;
    private boolean scanningFromFirst;
    private final LongSupplier nanos;
    private long nextFullScanNanos;

    LeaseCursor() {
        this(System::nanoTime);
    }

    /** With the clock of a test. */
    LeaseCursor(LongSupplier nanos) {
        this.nanos = nanos;
        this.nextFullScanNanos = nanos.getAsLong();
    }

    /** All ids below {@code id} were drawn by transactions with numbers below {@code xid}. */
    private record Bound(long id, long xid) {}

    /**
     * One lease's scan of the ready items.
     *
     * @param first the id where it begins; 0 for the first entry of the index
     * @param known where the cursor stood
     */
    record Scan(long first, long known, long beganNanos) {}

    /**
     * The row of survey_ready_items.sql.
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

    /** Where a lease begins to scan now. */
    synchronized Scan beginScan() {
        long now = nanos.getAsLong();
        if (scanningFromFirst || now - nextFullScanNanos < 0) {
            return new Scan(first, first, now);
        }
        scanningFromFirst = first > 0;
        return new Scan(0, first, now);
    }

    /** The lease of the scan has ended, successfully or not. */
    synchronized void endScan(Scan scan) {
        if (scan.first < scan.known) {
            long now = nanos.getAsLong();
            scanningFromFirst = false;
            nextFullScanNanos =
                    now + Math.max(MIN_FULL_SCAN_PAUSE_NANOS, FULL_SCAN_PAUSE_FACTOR * (now - scan.beganNanos));
        }
    }

    /** The lowest id that a scan has leased. If it lies before the cursor, there may be more like it: rewinds to it. */
    synchronized void found(Scan scan, long lowest) {
        if (lowest < scan.known) {
            rewind(lowest);
        }
    }

    /** An item is being given back, or was: the next scans begin at it. */
    synchronized void rewind(long id) {
        first = Math.min(first, id);
        rewinds++;
    }

    /** This many more items were leased. Returns where a survey begins, if one is due. */
    synchronized @Nullable SurveyStart leased(int items) {
        leased += items;
        if (surveying || leased < ITEMS) {
            return null;
        }
        surveying = true;
        leased = 0;
        return new SurveyStart(first, rewinds);
    }

    /** Where a survey begins, and how often the cursor had been rewound by then. */
    record SurveyStart(long first, int rewinds) {}

    /** A survey has ended; null if it failed. It is outdated if the cursor was rewound meanwhile. */
    synchronized void surveyed(SurveyStart start, @Nullable Survey survey) {
        surveying = false;
        if (survey == null || start.rewinds != rewinds) {
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
