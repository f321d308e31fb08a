package dev.leasehold.queue.internal.consume;

import static dev.leasehold.TestWaits.await;
import static dev.leasehold.queue.internal.consume.ConsumerFixture.OPTIONS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The loop does what is due in the order of its time, however late it is: the order shows when an extension was due. */
class LeaseExtenderTest {
    private static final Duration LEASE = Duration.ofMillis(150);

    private final FakeQueue queue = new FakeQueue();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final ConsumerLoop loop = new ConsumerLoop("keeper-test", () -> {});
    private final ConsumerScope scope = new ConsumerScope(queue, () -> LEASE, OPTIONS, 1, loop, why -> {});
    private final LeaseExtender keeper = new LeaseExtender(scope, 0, (item, why) -> events.add("lost"));

    @AfterEach
    void close() {
        loop.close();
        queue.close();
    }

    private List<HeldItem> leased(int count) {
        queue.put(count);
        return queue.items.lease(queue.name(), count).items().stream()
                .map(item -> new HeldItem(0, item))
                .toList();
    }

    private void noteAThirdFromNow() {
        loop.after(LEASE.toNanos() / 3, () -> events.add("third"));
    }

    @Test
    void every_extension_is_due_a_third_of_the_lease_after_the_one_before() {
        queue.inCallersThread = () -> {
            events.add("extended");
            loop.run(this::noteAThirdFromNow);
        };
        List<HeldItem> items = leased(2);
        loop.run(() -> {
            keeper.add(items);
            noteAThirdFromNow();
        });
        await().until(() -> events.size() >= 6);
        assertThat(events.subList(0, 6)).containsExactly("extended", "third", "extended", "third", "extended", "third");
    }
}
