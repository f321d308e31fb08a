package dev.leasehold.postgres.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.leasehold.postgres.Db;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueInfo;
import dev.leasehold.queue.admin.QueueUpdate;
import dev.leasehold.queue.item.LeasedBatch;
import dev.leasehold.queue.item.RetryItem;
import dev.leasehold.testkit.TestWaits;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A queue in two stores, one of which comes and goes: only its partitions go along, and they come back. */
@Tag("slow")
class StoresTest extends TwoStores {
    @Test
    void partitions_are_spread_by_affinity_and_none_is_lost_to_rounding() {
        try (PostgresQueues four = PostgresQueues.builder()
                .store("a", 10, near)
                .store("b", 5, near)
                .store("c", 3, near)
                .store("d", 1, near)
                .build()) {
            four.create(QueueConfig.named("spread").partitions(100));
        }
        assertThat(List.of(placed("a"), placed("b"), placed("c"), placed("d"))).containsExactly(53L, 26L, 16L, 5L);
    }

    private long placed(String store) {
        return Db.number(
                near,
                "select count(*) from queues, unnest(partition_stores) as s (name)"
                        + " where queues.name = 'spread' and s.name = '" + store + "'");
    }

    @Test
    void items_lie_where_their_partitions_are() {
        produce(40);
        assertThat(Db.number(near, "select count(*) from " + table("work", 0))).isPositive();
        assertThat(Db.number(far, "select count(*) from " + table("work", FAR))).isPositive();
        assertThat(tables(near)).isEqualTo(2);
        assertThat(tables(far)).isEqualTo(2);
        assertThat(leaseAll(40)).hasSize(40);
    }

    @Test
    void a_failing_store_takes_only_its_own_partitions_out() {
        LeasedBatch held = leaseFrom(FAR);
        proxy.down();
        awaitFailing();
        for (int i = 0; i < 20; i++) {
            assertThat(queue.produce(NewItem.of("near" + i)).partition()).isLessThan(FAR);
        }
        assertThat(leaseAll(20)).hasSize(20);
        QueueException refused = catchThrowableOfType(QueueException.class, () -> queue.complete(held));
        assertThat(refused)
                .hasMessageStartingWith(
                        "partition not available; partition '" + held.partition() + "' is failing, retry again");
        assertThat(refused.code()).isEqualTo(QueueErrorCode.PARTITION_UNAVAILABLE);
        proxy.up();
        await(() -> succeeds(() -> queue.complete(held)));
        await(() -> queue.produce(NewItem.of("x")).partition() >= FAR);
    }

    @Test
    void a_silent_store_slows_only_its_own_partitions_down() {
        leaseFrom(FAR);
        proxy.faults().blackHole();
        awaitFailing();
        long start = System.nanoTime();
        for (int i = 0; i < 100; i++) {
            queue.produce(NewItem.of("near" + i));
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .as("a hundred calls that do not wait for the far store")
                .isLessThan(TIMEOUT.multipliedBy(15));
        assertThat(leaseAll(100)).hasSize(100);
        proxy.cut();
        await(() -> queue.produce(NewItem.of("x")).partition() >= FAR);
    }

    @Test
    void who_waits_gets_what_is_in_the_other_store_and_is_not_told_that_there_was_nothing() {
        proxy.down();
        awaitFailing();
        QueueException unsure =
                catchThrowableOfType(QueueException.class, () -> queue.lease(request(Duration.ofMillis(300))));
        assertThat(unsure.code()).isEqualTo(QueueErrorCode.PARTITION_UNAVAILABLE);
        var waiting = queue.leaseAsync(request(Duration.ofMinutes(2)));
        queue.produce(NewItem.of("near"));
        assertThat(texts(soon(waiting))).containsExactly("near");
    }

    @Test
    void an_update_reaches_a_store_that_was_away_when_it_is_back() {
        LeasedBatch held = leaseFrom(FAR);
        proxy.down();
        QueueInfo updated = queues.update(QueueUpdate.to(config().leaseTimeout(Duration.ofSeconds(7))));
        assertThat(version(far)).isLessThan(version(near));
        assertThat(queue.produce(NewItem.of("near")).partition()).isLessThan(FAR);
        proxy.up();
        await(() -> succeeds(() -> queue.complete(held)));
        assertThat(version(far)).isEqualTo(version(near));
        assertThat(Db.number(far, "select lease_timeout_ns from queues where name = 'work'"))
                .isEqualTo(updated.config().leaseTimeout().toNanos());
    }

    @Test
    void a_queue_that_was_created_while_a_store_was_away_gets_its_partitions_there_later() {
        proxy.down();
        queues.create(QueueConfig.named("late").partitions(2));
        await(() -> succeeds(() -> queues.queue("late").produce(NewItem.of("x"))));
        proxy.up();
        await(() -> succeeds(
                () -> assertThat(queues.queue("late").produce(NewItem.of("x")).partition())
                        .isEqualTo(1)));
    }

    @Test
    void a_dead_queue_grows_a_partition_where_its_dead_letters_are() {
        LeasedBatch held = leaseFrom(FAR);
        queue.retry(held.partition(), List.of(RetryItem.dead(held.ids().get(0))));
        LeasedBatch letters = queues.queue("dead").lease(request(TestWaits.LIMIT));
        assertThat(texts(letters)).isEqualTo(texts(held).subList(0, 1));
        assertThat(letters.partition()).isEqualTo(1);
        assertThat(Db.number(far, "select count(*) from " + table("dead", 1))).isEqualTo(1);
        assertThat(queues.info("dead").config().partitions()).isEqualTo(1);
    }

    @Test
    void a_lease_that_ended_once_too_often_leaves_a_dead_letter_in_its_own_store() {
        queues.update(QueueUpdate.to(
                config().leaseTimeout(Duration.ofMillis(200)).maxAttempts(1).deadQueue("dead")));
        LeasedBatch held = leaseFrom(FAR);
        await(() -> queues.queue("dead").lease(request(TestWaits.LIMIT)).partition() == 1);
        assertThat(Db.number(far, "select count(*) from " + table("dead", 1)))
                .isEqualTo(held.items().size());
    }

    @Test
    void a_delete_drops_the_tables_in_both_stores() {
        produce(40);
        queues.delete("work");
        assertThat(tables(near) + tables(far)).isZero();
        assertThat(records(near, "work") + records(far, "work")).isZero();
    }

    @Test
    void a_delete_while_a_store_is_away_says_so_and_is_finished_by_itself() {
        produce(40);
        proxy.down();
        QueueException half = catchThrowableOfType(QueueException.class, () -> queues.delete("work"));
        assertThat(half.code()).isEqualTo(QueueErrorCode.SERVICE_UNAVAILABLE);
        assertThat(catchThrowableOfType(QueueException.class, () -> queues.info("work"))
                        .code())
                .isEqualTo(QueueErrorCode.NO_SUCH_QUEUE);
        assertThat(tables(far)).as("not reached yet").isEqualTo(2);
        proxy.up();
        await(() -> tables(near) + tables(far) == 0 && records(near, "work") + records(far, "work") == 0);
        queues.create(config());
        assertThat(produce(40)).isEqualTo(40);
    }

    @Test
    void a_half_deleted_queue_stands_in_nobody_elses_way() {
        queues.create(QueueConfig.named("single"));
        queues.create(QueueConfig.named("other"));
        produce(40);
        proxy.down();
        assertThat(succeeds(() -> queues.delete("work"))).isFalse();
        assertThatCode(() -> {
                    queues.update(QueueUpdate.to(QueueConfig.named("other").deadQueue("dead")));
                    queues.delete("other");
                    queues.delete("single");
                })
                .doesNotThrowAnyException();
        try (PostgresQueues fresh = node()) {
            fresh.create(QueueConfig.named("new"));
            fresh.queue("new").produce(NewItem.of("x"));
        }
    }

    @Test
    void a_delete_that_was_interrupted_at_its_very_end_is_finished_by_itself() {
        produce(40);
        Db.execute(
                far,
                "create function no_end() returns trigger language plpgsql as"
                        + " 'begin raise exception ''not yet'' using errcode = ''57P03''; end';"
                        + " create trigger no_end before delete on queues for each row execute function no_end()");
        assertThat(succeeds(() -> queues.delete("work"))).isFalse();
        Db.execute(far, "drop trigger no_end on queues");
        await(() -> records(near, "work") + records(far, "work") == 0);
        queues.create(config());
        assertThat(produce(40)).isEqualTo(40);
        assertThat(Db.number(far, "select count(*) from " + table("work", FAR))).isPositive();
    }

    /** Produces so many items, and returns how many that were. */
    private int produce(int count) {
        IntStream.range(0, count).forEach(i -> queue.produce(NewItem.of("item" + i)));
        return count;
    }
}
