package dev.leasehold.postgres.queue;

import dev.leasehold.postgres.CountingSocketFactory;
import dev.leasehold.postgres.CountingSocketFactory.Counts;
import dev.leasehold.postgres.Db;
import dev.leasehold.postgres.internal.StoreClock;
import dev.leasehold.queue.NewItem;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.item.ItemId;
import dev.leasehold.queue.item.LeasedItem;
import dev.leasehold.queue.spi.PartitionRef;
import dev.leasehold.queue.spi.Portion;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.postgresql.ds.PGSimpleDataSource;

/** An engine without a node around it, on one counted connection: nothing happens but what the test does. */
final class BareEngine implements AutoCloseable {
    final PGSimpleDataSource dataSource;

    /** What its connections do, but not that which listens. */
    final Counts counts;

    final PostgresItemStore store;
    final PostgresQueueRecords records;
    private final QueueEngine engine;
    private final boolean isFirst;

    BareEngine() {
        this(withTables(), true);
    }

    private static PGSimpleDataSource withTables() {
        PGSimpleDataSource dataSource = TestPostgres.newSchema();
        QueueSchema.create(dataSource);
        return dataSource;
    }

    /** Another one on the same tables. */
    BareEngine(BareEngine first) {
        this(first.dataSource, false);
    }

    private BareEngine(PGSimpleDataSource dataSource, boolean isFirst) {
        this.dataSource = dataSource;
        this.isFirst = isFirst;
        PGSimpleDataSource counted = TestPostgres.dataSource();
        counted.setCurrentSchema(dataSource.getCurrentSchema());
        counts = CountingSocketFactory.count(counted);
        engine = new QueueEngine(new PostgresQueueConfig(
                counted,
                dataSource,
                QueueTables.DEFAULT,
                1,
                Integer.MAX_VALUE,
                Duration.ofSeconds(20),
                new StoreClock(null)));
        store = new PostgresItemStore(engine, false);
        records = new PostgresQueueRecords(Map.of("postgres", engine));
    }

    /** A new queue of one partition. */
    PartitionRef create(QueueConfig config) {
        return records.create(config, List.of("postgres")).join().orElseThrow().partition(0);
    }

    PartitionStatements calls(PartitionRef partition) {
        return engine.calls(partition);
    }

    /** Has a survey taken now. */
    void survey(PartitionRef partition) {
        store.survey(partition, calls(partition), LeaseCursor.ITEMS);
    }

    static List<NewItem> items(int count) {
        return Collections.nCopies(count, NewItem.of("item"));
    }

    /** Produces and leases items. */
    List<ItemId> leased(PartitionRef partition, int count) {
        store.produce(partition, items(count)).join();
        return store.lease(partition, Portion.of(count)).join().items().stream()
                .map(LeasedItem::id)
                .toList();
    }

    long count(PartitionRef partition, String condition) {
        return Db.number(
                dataSource,
                "select count(*) from " + QueueTables.quoted(QueueTables.items(partition)) + " where " + condition);
    }

    @Override
    public void close() {
        engine.close();
        if (isFirst) {
            Db.execute(TestPostgres.dataSource(), "drop schema " + dataSource.getCurrentSchema() + " cascade");
        }
    }
}
