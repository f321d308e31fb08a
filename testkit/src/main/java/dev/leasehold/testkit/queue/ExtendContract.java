package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.When;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A lease can be made to end later, as often as needed, by who has it. */
public class ExtendContract extends QueueContract {
    @Test
    void an_extended_lease_ends_so_long_from_now() {
        ItemQueue queue = newQueue();
        produce(queue, "a");
        LeasedItem item = leaseOne(queue);
        Instant deadline = queue.extend(0, List.of(item.id()), Duration.ofMinutes(10));

        assertNear(deadline, now().plus(Duration.ofMinutes(10)));
        StoredItem stored = onlyStored(queue);
        assertThat(stored.leaseDeadline()).isEqualTo(deadline);
        assertThat(stored.id()).isEqualTo(item.id());
        assertThat(stored.attempts()).isEqualTo(1);
        assertThat(stored.isLeased()).isTrue();
    }

    @Test
    void zero_means_the_lease_timeout_of_the_queue() {
        ItemQueue queue = newQueue();
        produce(queue, "a");
        List<ItemId> ids = lease(queue, 1).ids();
        clock().advance(Duration.ofSeconds(40));
        assertNear(queue.extend(0, ids, Duration.ZERO), now().plus(LEASE));
    }

    @Test
    void an_extended_lease_outlives_its_first_deadline() {
        ItemQueue queue = newQueue();
        produce(queue, "a", "b");
        LeasedBatch batch = lease(queue, 2);
        for (int i = 0; i < 5; i++) {
            clock().advance(Duration.ofSeconds(50));
            queue.extend(0, batch.ids().subList(0, 1), Duration.ZERO);
        }
        await(() -> stored(queue).stream().anyMatch(item -> !item.isLeased()));

        LeasedItem lapsed = leaseOne(queue);
        assertThat(lapsed.text()).isEqualTo("b");
        assertThat(lapsed.attempts()).isEqualTo(2);
        queue.complete(0, batch.ids().subList(0, 1));
        assertThat(texts(stored(queue))).containsExactly("b");
    }

    @Test
    void an_extended_lease_ends_at_its_new_deadline() {
        ItemQueue queue = newQueue();
        produce(queue, "a");
        LeasedItem item = leaseOne(queue);
        queue.extend(0, List.of(item.id()), Duration.ofMinutes(10));
        outlive(Duration.ofMinutes(10));
        assertThat(awaitReady(queue).id()).isGreaterThan(item.id());
    }

    @Test
    void many_leases_are_extended_at_once() {
        ItemQueue queue = newQueue();
        produce(queue, 1000);
        LeasedBatch batch = lease(queue, 1000);
        Instant deadline = queue.extend(0, batch.ids(), Duration.ofMinutes(10));
        assertThat(stored(queue))
                .allSatisfy(item -> assertThat(item.leaseDeadline()).isEqualTo(deadline));
        assertThat(stored(queue).stream().map(StoredItem::id)).isEqualTo(batch.ids());
    }

    @Test
    void a_lease_that_has_ended_cannot_be_extended() {
        ItemQueue queue = newQueue();
        produce(queue, "a");
        LeasedItem item = leaseOne(queue);
        outlive(LEASE);
        ItemId ready = id(awaitReady(queue));
        assertFails(QueueErrorCode.NO_SUCH_ITEM, doesNotExist(item.id()), () -> extend(queue, item.id()));
        assertFails(QueueErrorCode.NOT_LEASED, notLeased(ready), () -> extend(queue, ready));
    }

    private static void extend(ItemQueue queue, ItemId... ids) {
        queue.extend(0, List.of(ids), LEASE);
    }

    private static String notLeased(ItemId id) {
        return "item(s) cannot be extended; '" + id + "' is not marked as leased";
    }

    @Test
    void what_is_not_leased_cannot_be_extended() {
        ItemQueue queue = newQueue();
        ItemId ready = produce(queue, "a").ids().get(0);
        ItemId later =
                queue.produce(NewItem.of("b").when(When.after(LEASE))).ids().get(0);
        assertFails(QueueErrorCode.NOT_LEASED, notLeased(ready), () -> extend(queue, ready));
        assertFails(QueueErrorCode.NO_SUCH_ITEM, doesNotExist(later), () -> extend(queue, later));
        assertFails(QueueErrorCode.NO_SUCH_ITEM, doesNotExist(UNKNOWN), () -> extend(queue, UNKNOWN));
    }

    @Test
    void a_completed_item_cannot_be_extended() {
        ItemQueue queue = newQueue();
        produce(queue, "a");
        LeasedBatch batch = lease(queue, 1);
        queue.complete(batch);
        ItemId id = batch.ids().get(0);
        assertFails(QueueErrorCode.NO_SUCH_ITEM, doesNotExist(id), () -> extend(queue, id));
    }

    @Test
    void if_one_id_is_wrong_nothing_is_extended() {
        ItemQueue queue = newQueue();
        produce(queue, "a", "b");
        LeasedBatch batch = lease(queue, 2);
        List<StoredItem> before = stored(queue);
        clock().advance(Duration.ofSeconds(10));
        assertFails(
                QueueErrorCode.NO_SUCH_ITEM,
                doesNotExist(UNKNOWN),
                () -> extend(queue, batch.ids().get(0), UNKNOWN, batch.ids().get(1)));
        assertThat(stored(queue)).usingRecursiveComparison().isEqualTo(before);
    }

    @Test
    void any_node_can_extend() {
        ItemQueue queue = newQueue();
        produce(queue, "a");
        List<ItemId> ids = lease(queue, 1).ids();
        Instant deadline = anotherNode().queue(queue.name()).extend(0, ids, Duration.ofMinutes(7));
        assertThat(onlyStored(queue).leaseDeadline()).isEqualTo(deadline);
    }
}
