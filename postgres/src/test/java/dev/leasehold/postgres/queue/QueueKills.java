package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.postgres.Db;
import dev.leasehold.postgres.queue.QueueWorker.Verb;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.admin.QueueStats;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.TestWaits;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Nodes are killed in the middle of every verb, and nobody who was promised anything is disappointed.
 *
 * <p>Each node produces, consumes and sweeps in the queues of all verbs at once, so each kill is one for every verb. Two live at a
 * time and take each other's items. Afterwards a node in this JVM takes what is left, and the books of each queue must balance.
 */
@Timeout(5 * TestWaits.TEST_LIMIT)
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class QueueKills {
    private static final Duration PATIENCE = Duration.ofSeconds(TestWaits.TEST_LIMIT);

    private final PGSimpleDataSource dataSource = TestPostgres.newSchema();
    private final List<KillLine> lines = new ArrayList<>();
    private final Map<Verb, Integer> midCall = new EnumMap<>(Verb.class);
    private final int kills;
    private PostgresQueues survivor;

    QueueKills(int kills) {
        this.kills = kills;
    }

    @BeforeAll
    void killNodes() throws Exception {
        createQueues();
        Deque<Doomed> alive = new ArrayDeque<>();
        for (int i = 0; i < kills; i++) {
            alive.add(new Doomed(
                    dataSource, "node" + i, ThreadLocalRandom.current().nextInt(30, 300)));
            if (alive.size() == 2) {
                bury(alive.remove());
            }
        }
        bury(alive.remove());
        System.out.println("kills=" + kills + " in the middle of a call: " + midCall);
        survivor = PostgresQueues.create(dataSource);
    }

    /** By a node that is gone afterwards: it would sweep for the others. */
    private void createQueues() {
        QueueSchema.create(dataSource);
        try (PostgresQueues founder = PostgresQueues.create(dataSource)) {
            for (Verb verb : Verb.values()) {
                founder.create(QueueConfig.named(verb.dead()));
                founder.create(verb.config());
            }
        }
    }

    private void bury(Doomed node) throws InterruptedException {
        lines.addAll(node.lastWords());
        assertThat(node.wasKilled()).as("died by the kill and not by itself").isTrue();
        for (Verb verb : Verb.values()) {
            midCall.merge(verb, node.diedDuring(verb) ? 1 : 0, Integer::sum);
        }
    }

    @AfterAll
    void close() {
        survivor.close();
        Db.execute(TestPostgres.dataSource(), "drop schema " + dataSource.getCurrentSchema() + " cascade");
    }

    @ParameterizedTest
    @EnumSource
    void kills_in_the_middle_of_a_call_break_no_promise(Verb verb) {
        List<String> left = drain(survivor.queue(verb.name()));
        List<String> dead = drain(survivor.queue(verb.dead()));
        KillBooks.of(verb, lines, left, dead).balance();
    }

    /** How often a node was killed in the middle of a call of each verb. */
    final Map<Verb, Integer> midCall() {
        return midCall;
    }

    /** Completes all that is there, with what comes back when the leases of the dead end; what is stuck never comes. */
    private static List<String> drain(ItemQueue queue) {
        List<String> texts = new ArrayList<>();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!isEmpty(queue)) {
            assertThat(System.nanoTime())
                    .as("stuck in " + queue.admin().stats())
                    .isLessThan(deadline);
            LeasedBatch batch = queue.lease(LeaseRequest.of("survivor", 1000).timeout(Duration.ofMillis(200)));
            if (!batch.isEmpty()) {
                queue.complete(batch);
                batch.items().stream().map(LeasedItem::text).forEach(texts::add);
            }
        }
        return texts;
    }

    private static boolean isEmpty(ItemQueue queue) {
        QueueStats.Partition partition = queue.admin().stats().partitions().get(0);
        return partition.total() + partition.scheduled() == 0;
    }
}
