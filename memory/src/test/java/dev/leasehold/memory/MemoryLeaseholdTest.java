package dev.leasehold.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Leader;
import dev.leasehold.Leasehold;
import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockException;
import dev.leasehold.queue.Codec;
import dev.leasehold.queue.Consumer;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.Queue;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.When;
import dev.leasehold.queue.admin.ItemListing;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.testkit.TestClock;
import dev.leasehold.testkit.TestWaits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One entry for locks, queues and leaders, here in memory. */
@Timeout(TestWaits.TEST_LIMIT)
class MemoryLeaseholdTest {
    private final TestClock clock = new TestClock();
    private final Leasehold leasehold = MemoryLeasehold.create(clock);
    private final List<String> seen = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        leasehold.close();
    }

    @Test
    void locks_and_queues_work_without_a_database() {
        leasehold.migrate();
        try (HeldLock lock = leasehold.locks().acquire("ledger:7")) {
            assertThat(lock.isHeld()).isTrue();
            assertThat(leasehold.locks().tryAcquire("ledger:7")).isEmpty();
        }
        Queue<String> orders =
                leasehold.queues().declare(QueueConfig.named("orders").maxAttempts(5), Codec.text());
        orders.produce("tea");
        try (Consumer consumer = orders.consume(work -> seen.add(work.payload()))) {
            TestWaits.await().until(() -> seen.equals(List.of("tea")));
            assertThat(consumer.isClosed()).isFalse();
        }
    }

    @Test
    void a_leased_item_knows_its_partition_and_its_lease() {
        ItemQueue orders = leasehold
                .queues()
                .declare(QueueConfig.named("orders").partitions(3), Codec.text())
                .items();
        orders.produce(NewItem.of("tea"), NewItem.of("milk"));
        LeasedBatch batch = orders.lease(1);
        LeasedItem tea = batch.items().get(0);
        assertThat(tea.partition()).isEqualTo(batch.partition());
        assertThat(orders.extend(tea, Duration.ofHours(1))).isAfter(tea.leaseDeadline());
        orders.complete(tea);
        LeasedItem milk = orders.lease(10).items().get(0);
        orders.retry(milk, When.now());
        LeasedBatch again = orders.lease(10);
        assertThat(again.items()).extracting(LeasedItem::text).containsExactly("milk");
        orders.complete(again);
        assertThat(orders.admin().list(ItemListing.of(batch.partition()))).isEmpty();
    }

    @Test
    void transactions_are_refused_with_a_sentence() {
        assertThatThrownBy(() -> leasehold.locks().inTransaction("ledger:7", connection -> {}))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("transactions need the PostgreSQL engine");
        Queue<String> orders = leasehold.queues().declare(QueueConfig.named("orders"), Codec.text());
        assertThatThrownBy(() -> orders.consumeInTransaction((connection, work) -> {}))
                .isInstanceOf(QueueException.class)
                .hasMessageContaining("transactions need the PostgreSQL engine");
    }

    @Test
    void there_is_one_leader_and_another_when_it_resigns() {
        CountDownLatch resign = new CountDownLatch(1);
        try (Leader first = leasehold.leader("billing", lock -> {
            seen.add("first");
            resign.await();
        })) {
            TestWaits.await().until(first::isLeader);
            try (Leader second = leasehold.leader("billing", lock -> {
                seen.add("second");
                new CountDownLatch(1).await();
            })) {
                assertThat(second.isLeader()).isFalse();
                resign.countDown();
                TestWaits.await().until(second::isLeader);
                assertThat(first.isLeader()).isFalse();
            }
        }
        assertThat(seen).startsWith("first", "second");
        assertThat(leasehold.locks().isLocked("billing")).isFalse();
    }

    @Test
    @Tag("slow") // the loss is noticed by the next renewal, after ten seconds
    void a_leader_whose_lock_is_taken_away_is_interrupted_and_stands_again() {
        try (Leader leader = leasehold.leader("billing", lock -> {
            seen.add("leads");
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                seen.add("interrupted");
                throw e;
            }
        })) {
            TestWaits.await().until(leader::isLeader);
            clock.advance(Duration.ofHours(1));
            HeldLock thief =
                    leasehold.locks().acquire(AcquireRequest.of("billing").waitFor(TestWaits.LIMIT));
            TestWaits.await().until(() -> seen.contains("interrupted"));
            thief.close();
            TestWaits.await().until(() -> seen.equals(List.of("leads", "interrupted", "leads")));
        }
    }

    @Test
    void a_task_that_fails_gives_the_leadership_up_and_gets_it_again() {
        try (Leader leader = leasehold.leader("billing", lock -> {
            seen.add("fails");
            throw new IllegalStateException("as it is meant to");
        })) {
            TestWaits.await().until(() -> seen.size() >= 2);
            assertThat(leader).isNotNull();
        }
    }
}
