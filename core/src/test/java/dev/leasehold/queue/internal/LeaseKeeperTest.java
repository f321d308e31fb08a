package dev.leasehold.queue.internal;

import static dev.leasehold.TestWaits.await;
import static dev.leasehold.queue.internal.ConsumerFixture.OPTIONS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.spi.QueueEvents;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The desk does what is due in the order of its time, however late it is: the order shows when an extension was due. */
class LeaseKeeperTest {
    private static final Duration LEASE = Duration.ofMillis(150);

    private final FakeQueue queue = new FakeQueue();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final ConsumerDesk desk = new ConsumerDesk("keeper-test", () -> {});
    private final ConsumerScope scope =
            new ConsumerScope(queue, () -> LEASE, OPTIONS, 1, desk, new QueueEvents(null), why -> {});
    private final LeaseKeeper keeper = new LeaseKeeper(scope, 0, (item, why) -> events.add("lost"));

    @AfterEach
    void close() {
        desk.close();
        queue.close();
    }

    private List<HeldItem> leased(int count) {
        queue.put(count);
        return queue.items.lease(queue.name(), count).items().stream()
                .map(item -> new HeldItem(0, item))
                .toList();
    }

    private void noteAThirdFromNow() {
        desk.after(LEASE.toNanos() / 3, () -> events.add("third"));
    }

    @Test
    void every_extension_is_due_a_third_of_the_lease_after_the_one_before() {
        queue.inCallersThread = () -> {
            events.add("extended");
            desk.run(this::noteAThirdFromNow);
        };
        List<HeldItem> items = leased(2);
        desk.run(() -> {
            keeper.add(items);
            noteAThirdFromNow();
        });
        await().until(() -> events.size() >= 6);
        assertThat(events.subList(0, 6)).containsExactly("extended", "third", "extended", "third", "extended", "third");
    }
}
