package dev.leasehold.testkit.queue;

import static dev.leasehold.testkit.TestWaits.inSeveralTries;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.When;
import dev.leasehold.queue.admin.QueueUpdate;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.item.RetryItem;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Who waits is told as soon as something is ready, on whichever node it became so.
 *
 * <p>The nodes of these tests look at the store once, when they begin, and never again by themselves. The tests let that pass,
 * so what happens here was not found by chance.
 */
@Tag("slow") // waits for real time
@Execution(ExecutionMode.CONCURRENT) // side by side, since each test has a fixture of its own
public class WakeUpContract extends QueueContract {
    private static final Duration SHORT = Duration.ofMillis(300);

    private static final Duration LONGER = Duration.ofSeconds(1);

    private ItemQueue dead;
    private ItemQueue queue;
    private Queues node;
    private Queues another;

    /** Where something becomes ready, as seen by who waits. */
    private enum Where {
        ON_THIS_NODE,
        ON_ANOTHER_NODE
    }

    @BeforeEach
    final void openNodes() {
        ItemQueue deadQueue = newQueue();
        String name = newQueue(config -> config.deadQueue(deadQueue.name())).name();
        queues().close();
        node = wokenNode();
        another = wokenNode();
        dead = node.queue(deadQueue.name());
        queue = node.queue(name);
        firstLook(name);
    }

    private void firstLook(String name) {
        awaitFirstLook(node.queue(name), another.queue(name));
    }

    private ItemQueue at(Where where) {
        return (where == Where.ON_THIS_NODE ? node : another).queue(queue.name());
    }

    /** For tests that wait for the end of a lease; in the others leases last until they are over. */
    private void leasesLast(Duration leaseTimeout) {
        node.update(QueueUpdate.to(node.info(queue.name()).config().leaseTimeout(leaseTimeout)));
        assertThat(another.info(queue.name()).config().leaseTimeout()).isEqualTo(leaseTimeout);
        firstLook(queue.name());
    }

    private void openAnotherQueue(Duration leaseTimeout) {
        QueueConfig config = QueueConfig.named(unique("another")).leaseTimeout(leaseTimeout);
        queue = node.queue(node.create(config).name());
        firstLook(queue.name());
    }

    @ParameterizedTest
    @EnumSource
    void a_produce_wakes(Where where) {
        CompletableFuture<LeasedBatch> waiting = park(queue, 1);
        produce(at(where), "a");
        assertThat(texts(soon(waiting))).containsExactly("a");
    }

    @ParameterizedTest
    @EnumSource
    void a_retry_wakes(Where where) {
        produce(at(where), "a");
        LeasedBatch batch = lease(at(where), 1);
        CompletableFuture<LeasedBatch> waiting = park(queue, 1);
        at(where).retry(0, List.of(RetryItem.now(batch.ids().get(0))));
        assertThat(texts(soon(waiting))).containsExactly("a");
    }

    @ParameterizedTest
    @EnumSource
    void what_is_given_back_wakes(Where where) {
        produce(at(where), "a");
        LeasedBatch batch = lease(at(where), 1);
        CompletableFuture<LeasedBatch> waiting = park(queue, 1);
        at(where).giveBack(0, batch.ids());
        assertThat(texts(soon(waiting))).containsExactly("a");
    }

    @ParameterizedTest
    @EnumSource
    void an_import_wakes(Where where) {
        CompletableFuture<LeasedBatch> waiting = park(queue, 1);
        at(where).admin().importItems(0, List.of(StoredItem.of(new byte[] {'a'})));
        assertThat(texts(soon(waiting))).containsExactly("a");
    }

    @ParameterizedTest
    @EnumSource
    void the_end_of_a_lease_wakes(Where where) {
        leasesLast(SHORT);
        produce(at(where), "a");
        lease(at(where), 1);
        CompletableFuture<LeasedBatch> waiting = park(queue, 1);
        assertThat(soon(waiting).items().get(0).attempts()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void an_item_that_becomes_ready_wakes(Where where) {
        CompletableFuture<LeasedBatch> waiting = park(queue, 1);
        at(where).produce(NewItem.of("a").when(When.after(SHORT)));
        assertThat(texts(soon(waiting))).containsExactly("a");
    }

    @ParameterizedTest
    @EnumSource
    void an_item_that_was_retried_later_wakes(Where where) {
        produce(at(where), "a");
        LeasedBatch batch = lease(at(where), 1);
        CompletableFuture<LeasedBatch> waiting = park(queue, 1);
        at(where).retry(0, List.of(RetryItem.at(batch.ids().get(0), When.after(SHORT))));
        assertThat(soon(waiting).items().get(0).attempts()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void a_dead_letter_wakes(Where where) {
        produce(at(where), "a");
        LeasedBatch batch = lease(at(where), 1);
        CompletableFuture<LeasedBatch> waiting = park(dead, 1);
        at(where).retry(0, List.of(RetryItem.dead(batch.ids().get(0))));
        assertThat(texts(soon(waiting))).containsExactly("a");
    }

    @ParameterizedTest
    @EnumSource
    void what_was_there_before_is_found_at_once(Where where) {
        produce(at(where), "a");
        assertThat(texts(soon(queue.leaseAsync(request(1))))).containsExactly("a");
    }

    @ParameterizedTest
    @EnumSource
    void a_lease_that_was_extended_wakes_when_it_ends(Where where) {
        inSeveralTries(i -> {
            openAnotherQueue(LONGER);
            produce(at(where), "a");
            LeasedBatch batch = lease(at(where), 1);
            CompletableFuture<LeasedBatch> waiting = park(queue, 1);
            at(where).extend(0, batch.ids(), LONGER.plus(SHORT));
            LeasedBatch again = soon(waiting);
            assertThat(again.items().get(0).leaseDeadline())
                    .isAfter(batch.items().get(0).leaseDeadline().plus(LONGER).plus(SHORT.dividedBy(2)));
        });
    }

    @Test
    void an_update_on_a_node_that_has_gone_does_not_delay_what_is_due() {
        inSeveralTries(i -> {
            openAnotherQueue(SHORT);
            produce(queue, "a");
            LeasedItem first = leaseOne(queue);
            CompletableFuture<LeasedBatch> waiting = park(queue, 1);
            another.update(QueueUpdate.to(
                    another.info(queue.name()).config().reference("changed").leaseTimeout(LEASE)));
            another.close();
            another = wokenNode();
            LeasedItem again = soon(waiting).items().get(0);
            assertThat(again.leaseDeadline().minus(LEASE)).isAfterOrEqualTo(first.leaseDeadline());
        });
    }
}
