package dev.leasehold.chaos.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.postgres.lock.LockSchema;
import dev.leasehold.postgres.lock.PostgresLocks;
import dev.leasehold.postgres.queue.PostgresQueues;
import dev.leasehold.postgres.queue.QueueSchema;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.ItemQueue;
import dev.leasehold.queue.item.LeaseRequest;
import dev.leasehold.testkit.OwnPostgres;
import dev.leasehold.testkit.TestWaits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** What docs/reliability.md says about standbys that were promoted without the last commits. */
@Timeout(180)
@Tag("long")
class StandbyTest {
    private static final String KEY = "ledger:7";

    @Test
    void an_asynchronous_standby_loses_what_it_had_not_got_yet(@TempDir Path directory) throws IOException {
        try (Database primary = Database.start(OwnPostgres.dataDirectory(directory.resolve("primary")))) {
            PGSimpleDataSource before = source(primary);
            LockSchema.create(before);
            QueueSchema.create(before);
            long fence = fenceOf(before);
            produce(before, true);
            try (Database standby = Standby.follow(primary, directory.resolve("standby"), false)) {
                stopFollowing(standby);
                long last = fenceOf(before);
                produce(before, false);
                primary.kill();
                Standby.promote(standby);

                PGSimpleDataSource after = source(standby);
                assertThat(last).isEqualTo(fence + 1);
                assertThat(fenceOf(after)).as("a fence that is drawn twice").isEqualTo(last);
                assertThat(items(after))
                        .as("items, of two that were acknowledged")
                        .isEqualTo(1);
            }
        }
    }

    @Test
    void ids_of_what_an_asynchronous_standby_has_lost_are_not_drawn_again(@TempDir Path directory) throws IOException {
        try (Database primary = Database.start(OwnPostgres.dataDirectory(directory.resolve("primary")))) {
            PGSimpleDataSource before = source(primary);
            QueueSchema.create(before);
            produce(before, true);
            try (Database standby = Standby.follow(primary, directory.resolve("standby"), false)) {
                stopFollowing(standby);
                List<ItemId> lost = produceMany(before);
                primary.kill();
                Standby.promote(standby);

                List<ItemId> fresh = produceMany(source(standby));
                assertThat(fresh).doesNotContainAnyElementsOf(lost);
                assertLateCallsDoNothing(source(standby), lost);
            }
        }
    }

    /** More than the log of a sequence is ahead of it. */
    private static List<ItemId> produceMany(PGSimpleDataSource dataSource) {
        try (PostgresQueues queues = PostgresQueues.create(dataSource)) {
            return queues.queue("orders")
                    .produce(Collections.nCopies(100, NewItem.of("coffee")).toArray(NewItem[]::new))
                    .ids();
        }
    }

    private static void assertLateCallsDoNothing(PGSimpleDataSource dataSource, List<ItemId> lost) {
        try (PostgresQueues queues = PostgresQueues.create(dataSource)) {
            ItemQueue orders = queues.queue("orders");
            assertThat(orders.lease(LeaseRequest.of("me", 101)).items()).hasSize(101);
            assertThatThrownBy(() -> orders.complete(0, List.of(lost.get(99)))).isInstanceOf(QueueException.class);
            assertThat(items(dataSource)).isEqualTo(101);
        }
    }

    private static void stopFollowing(Database standby) {
        TestWaits.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> standby.ask(
                                "postgres", "select count(*) from pg_stat_wal_receiver where status = 'streaming'")
                        .contains("1"));
        standby.execute("alter system set primary_conninfo = ''", "select pg_reload_conf()");
        TestWaits.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> standby.ask("postgres", "select count(*) from pg_stat_wal_receiver")
                        .contains("0"));
    }

    private static PGSimpleDataSource source(Database database) {
        return Urls.dataSource(Site.FIRST, database.port(), database.user(), database.password());
    }

    private static long fenceOf(PGSimpleDataSource dataSource) {
        try (PostgresLocks locks = PostgresLocks.create(dataSource);
                var lock = locks.acquire(AcquireRequest.of(KEY).waitFor(Duration.ofSeconds(30)))) {
            return lock.fence().value();
        }
    }

    private static void produce(PGSimpleDataSource dataSource, boolean first) {
        try (PostgresQueues queues = PostgresQueues.create(dataSource)) {
            if (first) {
                queues.create(QueueConfig.named("orders"));
            }
            queues.queue("orders").produce(NewItem.of("tea"));
        }
    }

    private static long items(PGSimpleDataSource dataSource) {
        try (PostgresQueues queues = PostgresQueues.create(dataSource)) {
            return queues.queue("orders").stats().partitions().get(0).total();
        }
    }
}
