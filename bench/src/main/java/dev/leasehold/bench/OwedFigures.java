package dev.leasehold.bench;

import static dev.leasehold.bench.Contender.LEASEHOLD;
import static dev.leasehold.bench.Figure.extra;
import static dev.leasehold.bench.Figure.p50;
import static dev.leasehold.bench.Figure.p50Times;
import static dev.leasehold.bench.Figure.p99;
import static dev.leasehold.bench.Figure.rate;
import static dev.leasehold.bench.Figure.rateTimes;

import java.util.List;

/**
 * The speed that Leasehold owes. Nearly all figures are ratios within one run; latencies and rates by themselves are owed on two
 * cores with a disk that flushes in a millisecond.
 *
 * <p>Where a peer is named "the best", those are compared that came out best in the run of everything in docs/performance.md.
 */
final class OwedFigures {
    private static final String UNGROUPED_2 = "leasehold-ungrouped-2";
    private static final String CENTRAL = "leasehold-central";
    private static final String ONE_THREAD = "1 thread";
    private static final String MANY = "64 threads";
    private static final String LOCK_EACH = "64 threads, a lock each";
    private static final String FOUR_JVMS = "16 workers, 4 JVMs";
    private static final String TWO_JVMS = "2 workers, 2 JVMs";
    private static final String BY_ONE = "batches of 1, 64 at once";
    private static final String BY_100 = "batches of 100, 8 at once";
    private static final String BY_1000 = "batches of 1000, 4 at once";
    private static final String DRAIN = "100,000 items, batches of 100";
    private static final String LONG_DRAIN = "1,000,000 items, batches of 100";
    private static final String STEADY = "4 producers, batches of 100";
    private static final String ONE_PARTITION = "1 partition";
    private static final String FLAT = "last / first rate";
    private static final double MEGA = 1e6;

    /** What an item of 100 bytes takes in a table that has nothing dead in it, with its index entries. */
    private static final double LIVE_ITEM_BYTES = 280;

    static final List<OwedFigure> ALL = List.of(
            ratio("L1.shedlock", MANY, 8, LEASEHOLD, "shedlock"),
            ratio("L1.spring", MANY, 8, LEASEHOLD, "spring"),
            ratio("L1.batched", MANY, 0.6, LEASEHOLD, "raw-batched"),
            ratio("L1.grouped", MANY, 8, LEASEHOLD, UNGROUPED_2),
            atMost("L1.single", ONE_THREAD, 1, "p50 compared with shedlock", p50Times(LEASEHOLD, "shedlock")),
            atMost("L1.alone", ONE_THREAD, 1.05, "p50 compared with no group commit", p50Times(LEASEHOLD, UNGROUPED_2)),
            ratio("L2.spring", FOUR_JVMS, 5, LEASEHOLD, "spring"),
            atMost("L2.p50", FOUR_JVMS, 3, "p50 from release to next holder", p50(LEASEHOLD)),
            atMost("L2.fair", FOUR_JVMS, 4, "longest wait / mean wait", extra("x", LEASEHOLD, "longest / mean wait")),
            atMost("L2.other-p50", TWO_JVMS, 5, "p50 from release to holder in the other JVM", p50(LEASEHOLD)),
            atMost("L2.other-p99", TWO_JVMS, 50, "p99 from release to holder in the other JVM", p99(LEASEHOLD)),
            atLeast("L3.rate", LOCK_EACH, 25_000, "refused tries", rate(LEASEHOLD)),
            atMost("L3.ids", LOCK_EACH, 0.1, "transaction ids for 1,000 refused tries", ids(1000)),
            atMost("L4.beat", "1,000 locks", 30, "p50 of the renewal of all", p50(LEASEHOLD)),
            atMost("L4.ids", "1,000 locks", 4.4, "transaction ids for the renewal of all", ids(1)),
            ratio("L5.guard-1", ONE_THREAD, 0.85, LEASEHOLD, "unguarded"),
            ratio("L5.guard-8", "8 threads", 0.85, LEASEHOLD, "unguarded"),
            ratio("L5.commit-1", ONE_THREAD, 0.85, "leasehold-commit", "unguarded"),
            ratio("L5.commit-8", "8 threads", 0.85, "leasehold-commit", "unguarded"),
            atLeast("L6.native", "64 connections", 4_800, "cycles at the native lock API", rate(LEASEHOLD)),
            atLeast("L6.central", "64 connections", 4_800, "cycles at LockServiceCentral's API", rate(CENTRAL)),
            ratio("Q1.single", BY_ONE, 4, LEASEHOLD, "db-scheduler", "jobrunr"),
            ratio("Q1.raw-100", BY_100, 0.7, LEASEHOLD, "raw"),
            ratio("Q1.peer-100", BY_100, 1, LEASEHOLD, "db-scheduler", "graphile-worker"),
            ratio("Q1.raw-1000", BY_1000, 0.7, LEASEHOLD, "raw"),
            ratio("Q1.peer-1000", BY_1000, 1, LEASEHOLD, "db-scheduler", "graphile-worker"),
            ratio("Q2.raw", DRAIN, 0.6, LEASEHOLD, "raw"),
            ratio("Q2.peer", DRAIN, 1.3, LEASEHOLD, "graphile-worker", "pg-boss"),
            ratio("Q2.db-scheduler", DRAIN, 5, LEASEHOLD, "db-scheduler"),
            ratio("Q2.jobrunr", DRAIN, 5, LEASEHOLD, "jobrunr"),
            ratio("Q2.raw-long", LONG_DRAIN, 0.6, LEASEHOLD, "raw"),
            ratio("Q2.peer-long", LONG_DRAIN, 1.3, LEASEHOLD, "graphile-worker"),
            ratio("Q3.peer", ONE_PARTITION, 1.3, LEASEHOLD, "pg-boss", "graphile-worker", "db-scheduler"),
            atLeast("Q3.flat", ONE_PARTITION, 0.9, "rate at the end / at the beginning", extra("x", LEASEHOLD, FLAT)),
            atMost("Q3.size", ONE_PARTITION, 10 * LIVE_ITEM_BYTES, "tables and indexes per live item", bytesPerItem()),
            atMost("Q3.wal", ONE_PARTITION, 1_500, "WAL per item", walBytesPerItem()),
            atMost("Q4.p50", "same node", 3, "p50 from produce to lease", p50(LEASEHOLD)),
            atMost("Q4.p99", "same node", 10, "p99 from produce to lease", p99(LEASEHOLD)),
            atMost("Q4.other-p50", "other node", 20, "p50 from produce to lease", p50(LEASEHOLD)),
            atMost("Q4.other-p99", "other node", 300, "p99 from produce to lease", p99(LEASEHOLD)),
            ratio("Q5.snapshot", STEADY, 0.8, LEASEHOLD, "leasehold-undisturbed"),
            ratio("Q7.protobuf", STEADY, 0.5, "leasehold-http", LEASEHOLD),
            ratio("Q7.json", STEADY, 0.5, "leasehold-json", LEASEHOLD),
            atMost("Q10.late", "300 ms ahead", 500, "p99 from the time of an item to its lease", p99(LEASEHOLD)));

    private OwedFigures() {}

    /** Those of one scenario. */
    static List<OwedFigure> of(Scenario scenario) {
        return ALL.stream()
                .filter(owed -> owed.scenario().equals(scenario.name()))
                .toList();
    }

    /** What must be measured to judge them all, and nothing else. */
    static boolean need(Scenario scenario, Variant variant, Contender contender) {
        return ALL.stream()
                .anyMatch(owed -> owed.isIn(scenario, variant) && owed.figure().needs(contender.name()));
    }

    private static OwedFigure ratio(String id, String variant, double limit, String system, String... others) {
        String best = others.length == 1 ? others[0] : "the best of " + String.join(", ", others);
        String what = "rate of " + system + " compared with " + best;
        return atLeast(id, variant, limit, what, rateTimes(system, others));
    }

    private static OwedFigure atLeast(String id, String variant, double limit, String what, Figure figure) {
        return new OwedFigure(id, variant, what, figure, true, limit);
    }

    private static OwedFigure atMost(String id, String variant, double limit, String what, Figure figure) {
        return new OwedFigure(id, variant, what, figure, false, limit);
    }

    private static Figure ids(int operations) {
        return Figure.of("", LEASEHOLD, measurement -> measurement.idsPerOp() * operations);
    }

    private static Figure walBytesPerItem() {
        return Figure.of("B", LEASEHOLD, Measurement::walBytesPerOp);
    }

    private static Figure bytesPerItem() {
        return Figure.of(
                "B",
                LEASEHOLD,
                one -> MEGA * (one.extra("tables MB") + one.extra("indexes MB")) / one.extra("items left at the end"));
    }
}
