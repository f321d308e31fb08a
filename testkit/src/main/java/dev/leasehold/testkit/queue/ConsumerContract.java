package dev.leasehold.testkit.queue;

import static dev.leasehold.testkit.TestWaits.inSeveralTries;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.ConsumeOptions;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.RetryRules;
import dev.leasehold.queue.admin.StoredItem;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedItem;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A consumer works items until it is closed: done ones are completed, failed ones tried again, none is lost. */
@Tag("slow") // waits for real time
public class ConsumerContract extends ConsumerTests {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void all_items_are_handled_and_completed_in_their_order() {
        ItemQueue queue = newQueue();
        produce(queue, 100);
        consume(queue, ConsumeOptions.DEFAULT, item -> {});
        awaitEmpty(queue);
        assertThat(handledTexts()).isEqualTo(texts(100));
        assertThat(handled()).allSatisfy(item -> assertThat(item.attempts()).isEqualTo(1));
    }

    @Test
    void items_that_come_later_are_handled_when_they_come() {
        ItemQueue queue = newQueue();
        consume(queue, ConsumeOptions.DEFAULT, item -> {});
        awaitWaiting(queue, 1);
        produce(queue, "a");
        awaitHandled(1);
        produce(queue, "b");
        awaitHandled(2);
        awaitEmpty(queue);
    }

    @Test
    void as_many_handlers_run_at_once_as_the_options_say() {
        ItemQueue queue = newQueue();
        produce(queue, 10);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        consume(queue, ConsumeOptions.DEFAULT.concurrency(3), item -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            block(item);
            running.decrementAndGet();
        });
        await(() -> running.get() == 3);
        letEnd(10);
        awaitEmpty(queue);
        assertThat(most).hasValue(3);
        assertThat(handledTexts()).containsExactlyInAnyOrderElementsOf(texts(10));
    }

    @Test
    void items_of_all_partitions_are_handled() {
        ItemQueue queue = newQueue(config -> config.partitions(4));
        for (String text : texts(40)) {
            produce(queue, text);
        }
        consume(queue, ConsumeOptions.DEFAULT.concurrency(2), item -> {});
        awaitHandled(40);
        await(() -> queue.admin().stats().partitions().stream().allMatch(partition -> partition.total() == 0));
        assertThat(handledTexts()).containsExactlyInAnyOrderElementsOf(texts(40));
    }

    @Test
    void several_consumers_share_the_items() {
        ItemQueue queue = newQueue();
        ItemQueue there = anotherNode().queue(queue.name());
        consume(queue, ConsumeOptions.DEFAULT, item -> {});
        consume(queue, ConsumeOptions.DEFAULT, item -> {});
        consume(there, ConsumeOptions.DEFAULT, item -> {});
        produce(queue, 300);
        awaitEmpty(queue);
        assertThat(handledTexts()).containsExactlyInAnyOrderElementsOf(texts(300));
    }

    @Test
    void an_item_that_failed_is_tried_again_after_a_backoff_that_doubles() {
        ItemQueue queue = newQueue(config -> config.expireTimeout(Duration.ofDays(1)));
        produce(queue, "a");
        consume(
                queue,
                ConsumeOptions.DEFAULT.retry(
                        RetryRules.exponential(MINUTE, MINUTE.multipliedBy(3)).withoutJitter()),
                ConsumerTests::fail);
        for (Duration backoff :
                List.of(MINUTE, MINUTE.multipliedBy(2), MINUTE.multipliedBy(3), MINUTE.multipliedBy(3))) {
            await(() -> scheduled(queue).size() == 1);
            assertNear(scheduled(queue).get(0).enqueueAt(), now().plus(backoff));
            int next = handled().size() + 1;
            outlive(backoff);
            awaitHandled(next);
        }
        assertThat(handled().stream().map(LeasedItem::attempts)).containsExactly(1, 2, 3, 4, 5);
    }

    @Test
    void an_item_that_succeeds_at_last_is_completed() {
        ItemQueue queue = newQueue();
        produce(queue, "a", "b");
        consume(queue, AGAIN_AT_ONCE, item -> {
            if (item.attempts() < 3 && item.text().equals("a")) {
                fail(item);
            }
        });
        awaitHandled(4);
        awaitEmpty(queue);
        assertThat(scheduled(queue)).isEmpty();
        assertThat(handled().stream().filter(item -> item.text().equals("a")).map(LeasedItem::attempts))
                .containsExactly(1, 2, 3);
    }

    @Test
    void an_item_that_never_succeeds_ends_in_the_dead_queue() {
        ItemQueue dead = newQueue();
        ItemQueue queue = newQueue(config -> config.maxAttempts(3).deadQueue(dead.name()));
        produce(queue, "bad", "good");
        consume(queue, AGAIN_AT_ONCE, item -> {
            if (item.text().equals("bad")) {
                fail(item);
            }
        });
        await(() -> texts(stored(dead)).equals(List.of("bad")));
        awaitEmpty(queue);
        assertThat(handled().stream().filter(item -> item.text().equals("bad"))).hasSize(3);
        assertThat(handled().stream().filter(item -> item.text().equals("good")))
                .hasSize(1);
    }

    @Test
    void errors_are_failures_as_exceptions_are() {
        ItemQueue queue = newQueue();
        produce(queue, "a");
        consume(queue, AGAIN_AT_ONCE, item -> {
            if (item.attempts() == 1) {
                throw new StackOverflowError("deep");
            }
        });
        awaitHandled(2);
        awaitEmpty(queue);
    }

    @Test
    void an_item_keeps_its_lease_for_as_long_as_its_handler_runs() {
        inSeveralTries(i -> {
            ItemQueue queue = newQueue(config -> config.leaseTimeout(Duration.ofMillis(500)));
            produce(queue, "long", "behind it");
            handled().clear();
            try (Consumer consumer = consume(queue, ConsumeOptions.DEFAULT, this::block)) {
                awaitHandled(1);
                assertKeptForTwoLeases(queue, handled().get(0));
                letEnd(2);
                awaitEmpty(queue);
                assertThat(consumer.isClosed()).isFalse();
                assertThat(handledTexts()).containsExactly("long", "behind it");
            }
        });
    }

    private void assertKeptForTwoLeases(ItemQueue queue, LeasedItem first) {
        Instant end = first.leaseDeadline().plusSeconds(1);
        await(() -> now().isAfter(end));
        assertThat(stored(queue)).hasSize(2).allSatisfy(item -> {
            assertThat(item.isLeased()).isTrue();
            assertThat(item.attempts()).isEqualTo(1);
        });
        assertThat(stored(queue).get(0).id()).isEqualTo(first.id());
    }

    @Test
    void an_item_whose_lease_was_lost_does_not_hold_up_its_neighbours() {
        ItemQueue queue = newQueue();
        produce(queue, 10);
        consume(queue, ConsumeOptions.DEFAULT, item -> {
            if (item.text().equals("0004")) {
                queue.admin().delete(0, List.of(item.id()));
            }
        });
        awaitEmpty(queue);
        assertThat(handledTexts()).isEqualTo(texts(10));
    }

    @Test
    void what_a_handler_gets_is_the_item() {
        ItemQueue queue = newQueue();
        produce(queue, "a");
        StoredItem stored = onlyStored(queue);
        consume(queue, ConsumeOptions.DEFAULT, item -> {});
        awaitHandled(1);
        LeasedItem item = handled().get(0);
        assertThat(Optional.of(item.id())).isEqualTo(Optional.ofNullable(stored.id()));
        assertThat(item.payload()).isEqualTo(stored.payload());
        assertNear(item.leaseDeadline(), now().plus(LEASE));
    }
}
