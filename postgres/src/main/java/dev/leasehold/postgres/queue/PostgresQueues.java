package dev.leasehold.postgres.queue;

import dev.leasehold.GroupStatistics;
import dev.leasehold.postgres.internal.CallTimeout;
import dev.leasehold.postgres.internal.StoreClock;
import dev.leasehold.queue.QueueException;
import dev.leasehold.queue.QueueOptions;
import dev.leasehold.queue.QueueRules;
import dev.leasehold.queue.spi.LeaseQueues;
import dev.leasehold.queue.spi.NamedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Queues on PostgreSQL: {@code PostgresQueues queues = PostgresQueues.create(dataSource)}.
 *
 * <p>One object per JVM and database is enough, and best: concurrent calls are batched in it. It borrows a few connections
 * while there is work, and one more to listen on while somebody waits. Any {@link DataSource} of pgjdbc connections will do.
 *
 * <p>The table of queues must exist in every store: see {@link QueueSchema}.
 */
public final class PostgresQueues extends LeaseQueues implements GroupStatistics.Source {
    private final Map<String, QueueEngine> engines;

    private PostgresQueues(Map<String, QueueEngine> engines, List<NamedStore> stores, QueueOptions options) {
        super(new PostgresQueueRecords(engines), stores, options);
        this.engines = Map.copyOf(engines);
    }

    /** Queues with all defaults, on one database. */
    public static PostgresQueues create(DataSource dataSource) {
        return builder(dataSource).build();
    }

    /** Queues whose records, and by default all their partitions, are in one database: the store named "postgres". */
    public static Builder builder(DataSource dataSource) {
        return new Builder().store("postgres", 1, dataSource);
    }

    /** {@link #builder(DataSource)} for a database that is reached through a pooler: {@code direct} is where to listen. */
    public static Builder builder(DataSource dataSource, DataSource direct) {
        return new Builder().store("postgres", 1, dataSource, direct);
    }

    /** Queues over several stores. The first that is added has the records; do not change which that is. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public PostgresQueue queue(String name) {
        QueueRules.lookup(name);
        return new PostgresQueue(node(), name, this::start, this::engine);
    }

    /** Creates the table of queues in every store, or brings it up to date. */
    public void migrate() {
        engines.values()
                .forEach(engine -> QueueSchema.create(
                        engine.config().dataSource(), engine.config().tables()));
    }

    /** {@inheritDoc} To the databases of all stores. */
    @Override
    public GroupStatistics statistics() {
        List<GroupStatistics> all =
                engines.values().stream().map(QueueEngine::statistics).toList();
        return new GroupStatistics(
                all.stream().mapToLong(GroupStatistics::calls).sum(),
                all.stream().mapToLong(GroupStatistics::messages).sum());
    }

    /** For how many partitions it keeps statements. */
    int knownPartitions() {
        return engines.values().stream()
                .mapToInt(engine -> engine.statements().partitions())
                .sum();
    }

    private QueueEngine engine(String store) {
        QueueEngine engine = engines.get(store);
        if (engine == null) {
            throw new IllegalStateException("there is no store '" + store + "'");
        }
        return engine;
    }

    /** What can be set, with its defaults. */
    public static final class Builder {
        private final Map<String, Place> places = new LinkedHashMap<>();
        private QueueOptions options = QueueOptions.DEFAULT;
        private QueueTables tables = QueueTables.DEFAULT;
        private int connections = 4;
        private int groupLimit = Integer.MAX_VALUE;
        private Duration timeout = CallTimeout.DEFAULT;
        private @Nullable LongSupplier testClock;

        private Builder() {}

        private record Place(int affinity, DataSource dataSource, DataSource listenDataSource) {}

        /**
         * Adds a store: a database where partitions lie.
         *
         * @param name written into the records of queues; must stay the same
         * @param affinity its share of the partitions of new queues, compared to the others
         */
        public Builder store(String name, int affinity, DataSource dataSource) {
            return store(name, affinity, dataSource, dataSource);
        }

        /** Adds a store that is reached through a pooler: {@code direct} is where to listen. */
        public Builder store(String name, int affinity, DataSource dataSource, DataSource direct) {
            if (places.put(name, new Place(affinity, dataSource, direct)) != null) {
                throw QueueException.invalidArgument("two stores are named '" + name + "'");
            }
            return this;
        }

        /** Changes how queues behave: {@code options(o -> o.lookInterval(...))}. */
        public Builder options(UnaryOperator<QueueOptions> change) {
            this.options = change.apply(options);
            return this;
        }

        /** The names of the tables. */
        public Builder tables(QueueTables tables) {
            this.tables = tables;
            return this;
        }

        /** How many statements may be under way at once in each store. */
        public Builder connections(int connections) {
            this.connections = connections;
            return this;
        }

        /** How long a call may take, from when it is made until PostgreSQL has answered; 5 s by default. Waiting for items does not count. */
        public Builder timeout(Duration timeout) {
            this.timeout = timeout;
            return this;
        }

        /** Sends every call on its own. For measurements: it is slower under load and no faster without. */
        public Builder withoutGroupCommit() {
            this.groupLimit = 1;
            return this;
        }

        /** Puts a test's clock, in epoch milliseconds, in the place of the databases'. All nodes must use the same one. */
        public Builder testClock(LongSupplier nowMs) {
            this.testClock = nowMs;
            return this;
        }

        /** The queues. Does no I/O. */
        public PostgresQueues build() {
            if (places.isEmpty()) {
                throw QueueException.invalidArgument("queues need at least one store");
            }
            Map<String, QueueEngine> engines = new LinkedHashMap<>();
            List<NamedStore> stores = new ArrayList<>();
            places.forEach((name, place) -> {
                QueueEngine engine = new QueueEngine(new PostgresQueueConfig(
                        place.dataSource(),
                        place.listenDataSource(),
                        tables,
                        connections,
                        groupLimit,
                        timeout,
                        new StoreClock(testClock)));
                engines.put(name, engine);
                stores.add(new NamedStore(name, place.affinity(), new PostgresItemStore(engine, false)));
            });
            return new PostgresQueues(engines, stores, options);
        }
    }
}
