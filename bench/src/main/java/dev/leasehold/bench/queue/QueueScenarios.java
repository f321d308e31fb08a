package dev.leasehold.bench.queue;

import dev.leasehold.bench.Contender;
import dev.leasehold.bench.Group;
import dev.leasehold.bench.Scenario;
import dev.leasehold.bench.Variant;
import java.util.List;

/** The scenarios of queues. */
public final class QueueScenarios {
    private static final String ITEM = "one item, produced, leased and completed";
    private static final String UNDISTURBED = "leasehold-undisturbed";
    private static final int LARGE_PAYLOAD = 10_240;
    private static final int SCHEDULED = 1_000_000;

    private static final Variant ONE = new Variant("4 producers, batches of 100", 4, 1);
    private static final QueueSystem LEASEHOLD = LeaseholdQueuer.library();
    private static final QueueSystem RAW = RawQueuer.system();
    private static final QueueSystem DB_SCHEDULER = DbSchedulerQueuer.system();
    private static final QueueSystem JOB_RUNR = JobRunrQueuer.system();

    private QueueScenarios() {}

    public static List<Scenario> all() {
        return List.of(
                produce(),
                drain(),
                steady(),
                pickup(),
                heldSnapshot(),
                scheduled(),
                http(),
                largePayloads(),
                twoNodes(),
                due());
    }

    private static Scenario produce() {
        Load load = Load.DEFAULT.varied(
                (base, variant) -> base.producers(variant.concurrency()).batch(variant.size()));
        return new Scenario(
                Group.QUEUES,
                "Q1",
                "produce items of 100 bytes",
                "one item produced",
                List.of(batches(64, 1), batches(16, 10), batches(8, 100), batches(4, 1000)),
                List.of(
                        LEASEHOLD.in(load, Produces::new),
                        LeaseholdQueuer.ungrouped().in(load, Produces::new).only(variant -> variant.size() == 1),
                        RAW.in(load, Produces::new),
                        DB_SCHEDULER.in(load, Produces::new),
                        JOB_RUNR.in(load, Produces::new),
                        NodePeers.graphileWorker("produce", load),
                        NodePeers.pgBoss("produce", load)));
    }

    private static Variant batches(int producers, int batch) {
        return new Variant("batches of " + batch + ", " + producers + " at once", producers, batch);
    }

    private static Scenario drain() {
        Load load = Load.DEFAULT.varied((base, variant) -> base.preload(variant.size()));
        return new Scenario(
                Group.QUEUES,
                "Q2",
                "drain items that are there",
                "one item leased and completed",
                List.of(new Variant("100,000 items, batches of 100", 4, 100_000), MILLION),
                List.of(
                        LEASEHOLD.in(load, Drain::new),
                        RAW.in(load, Drain::new),
                        DB_SCHEDULER.in(load, Drain::new).only(QueueScenarios::isModest),
                        JOB_RUNR.in(load, Drain::new).only(QueueScenarios::isModest),
                        NodePeers.graphileWorker("drain", load),
                        NodePeers.pgBoss("drain", load).only(QueueScenarios::isModest)));
    }

    private static final Variant MILLION = new Variant("1,000,000 items, batches of 100", 4, 1_000_000);

    /** A million would take them minutes. */
    private static boolean isModest(Variant variant) {
        return !variant.equals(MILLION);
    }

    private static Scenario steady() {
        Load load = Load.DEFAULT.varied((base, variant) -> base.partitions(variant.size()));
        return new Scenario(
                Group.QUEUES,
                "Q3",
                "produce, lease and complete at once",
                ITEM,
                List.of(new Variant("1 partition", 4, 1), new Variant("4 partitions", 4, 4)),
                List.of(
                        LEASEHOLD.in(load, Steady::new),
                        RAW.in(load, Steady::new).only(QueueScenarios::isOnePartition),
                        DB_SCHEDULER.in(load, Steady::new).only(QueueScenarios::isOnePartition),
                        Contender.absent("jobrunr", "it polls every 5 s; see Q2"),
                        NodePeers.graphileWorker("steady", load).only(QueueScenarios::isOnePartition),
                        NodePeers.pgBoss("steady", load).only(QueueScenarios::isOnePartition)));
    }

    private static boolean isOnePartition(Variant variant) {
        return variant.size() == 1;
    }

    private static Scenario pickup() {
        Load load = Load.DEFAULT.varied((base, variant) -> base.nodes(variant.size()));
        return new Scenario(
                Group.QUEUES,
                "Q4",
                "pick up an item from an idle queue",
                "one item produced; the latency is until a worker has it",
                List.of(new Variant("same node", 1, 1), new Variant("other node", 1, 2)),
                List.of(
                        LEASEHOLD.in(load, Pickup::new),
                        DB_SCHEDULER.in(load, Pickup::new),
                        Contender.absent("jobrunr", "it polls every 5 s"),
                        NodePeers.graphileWorker("pickup", load).only(QueueScenarios::isOnePartition),
                        NodePeers.pgBoss("pickup", load).only(QueueScenarios::isOnePartition)));
    }

    private static Scenario heldSnapshot() {
        Load held = Load.DEFAULT.heldSnapshot();
        return new Scenario(
                Group.QUEUES,
                "Q5",
                "as Q3, while another session holds a snapshot",
                ITEM,
                List.of(ONE),
                List.of(
                        LEASEHOLD.in(held, Steady::new),
                        LEASEHOLD.named(UNDISTURBED, "no snapshot is held").in(Load.DEFAULT, Steady::new),
                        RAW.in(held, Steady::new),
                        DB_SCHEDULER.in(held, Steady::new)));
    }

    private static Scenario scheduled() {
        Load later = Load.DEFAULT.later(SCHEDULED);
        return new Scenario(
                Group.QUEUES,
                "Q6",
                "as Q3, with one million scheduled items beside",
                ITEM,
                List.of(ONE),
                List.of(
                        LEASEHOLD.in(later, Steady::new),
                        LEASEHOLD.named(UNDISTURBED, "nothing is scheduled").in(Load.DEFAULT, Steady::new),
                        RAW.in(later, Steady::new),
                        DB_SCHEDULER.in(later, Steady::new)));
    }

    private static Scenario http() {
        return new Scenario(
                Group.HTTP,
                "Q7",
                "as Q3, over HTTP",
                ITEM,
                List.of(ONE),
                List.of(
                        LEASEHOLD.in(Load.DEFAULT, Steady::new),
                        HttpQueuers.protobuf().in(Load.DEFAULT, Steady::new),
                        HttpQueuers.json().in(Load.DEFAULT, Steady::new)));
    }

    private static Scenario largePayloads() {
        Load large = Load.DEFAULT.payload(LARGE_PAYLOAD);
        return new Scenario(
                Group.QUEUES,
                "Q8",
                "as Q3, with items of 10 KB",
                ITEM,
                List.of(ONE),
                List.of(
                        LEASEHOLD.in(large, Steady::new),
                        RAW.in(large, Steady::new),
                        DB_SCHEDULER.in(large, Steady::new),
                        NodePeers.graphileWorker("steady", large)));
    }

    private static Scenario twoNodes() {
        Load two = Load.DEFAULT.nodes(2);
        return new Scenario(
                Group.QUEUES,
                "Q9",
                "as Q3, on two nodes with 8 connections each",
                ITEM,
                List.of(ONE),
                List.of(
                        LEASEHOLD.in(two, Steady::new),
                        LEASEHOLD.named("leasehold-one-node", "one node").in(Load.DEFAULT, Steady::new),
                        RAW.in(two, Steady::new),
                        DB_SCHEDULER.in(two, Steady::new)));
    }

    private static Scenario due() {
        return new Scenario(
                Group.QUEUES,
                "Q10",
                "items that are scheduled become ready",
                "one item scheduled; the latency is from its time until a worker has it",
                List.of(new Variant("300 ms ahead", 1, 1)),
                List.of(LEASEHOLD.in(Load.DEFAULT, DueItems::new)));
    }
}
