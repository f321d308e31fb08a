package dev.leasehold.cli.server;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.cli.config.PostgresUrl;
import dev.leasehold.cli.config.Storage;
import dev.leasehold.cli.config.Storage.Store;
import dev.leasehold.embedded.EmbeddedPostgres;
import dev.leasehold.embedded.ProcessId;
import dev.leasehold.embedded.Watchdog;
import dev.leasehold.lock.Locks;
import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.postgres.lock.PostgresLocks;
import dev.leasehold.postgres.queue.PostgresQueues;
import dev.leasehold.queue.QueueOptions;
import dev.leasehold.queue.Queues;
import dev.leasehold.queue.admin.QueueBounds;
import dev.leasehold.server.observe.Metrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * Locks and queues, ready to use.
 *
 * @param about what they lie in, for people
 * @param trouble why they cannot be had at the moment, if that is known
 */
record Engines(Locks locks, Queues queues, String about, Supplier<Optional<String>> trouble) {
    private static final String RESTARTING = "the embedded database is being restarted";

    private Engines(Locks locks, Queues queues, String about) {
        this(locks, queues, about, Optional::empty);
    }

    /**
     * Opens them.
     *
     * @param bounds how much one call may store in a queue or get out of it
     * @param closing gets what has to be closed after them
     * @param metrics get what their pools and engines count
     */
    static Engines open(Storage storage, QueueBounds bounds, CloseStack closing, Metrics metrics) {
        return switch (storage.kind()) {
            case MEMORY ->
                new Engines(
                        MemoryLocks.create(),
                        MemoryQueues.create(QueueOptions.DEFAULT.bounds(defaults -> bounds)),
                        "in memory; all is gone when the server stops");
            case POSTGRES -> open(storage, storage.stores(), bounds, closing, metrics, places(storage.stores()));
            case EMBEDDED -> embedded(storage, bounds, closing, metrics);
        };
    }

    private static String places(List<Store> stores) {
        return stores.size() == 1
                ? stores.get(0).url().display()
                : stores.stream()
                        .map(store -> store.url().display() + " (" + store.name() + ")")
                        .collect(Collectors.joining(", "));
    }

    private static Engines embedded(Storage storage, QueueBounds bounds, CloseStack closing, Metrics metrics) {
        Watchdog.keepingData(ProcessId.of(ProcessHandle.current()), storage.dataDir());
        EmbeddedPostgres postgres = closing.add(EmbeddedPostgres.start(storage.dataDir(), storage.embeddedPort()));
        PostgresUrl url = new PostgresUrl(
                "127.0.0.1:" + postgres.port() + "/" + postgres.database(),
                postgres.applicationUser(),
                postgres.applicationPassword(),
                Map.of());
        List<Store> stores = List.of(new Store("postgres", 1, url, storage.poolSize()));
        String about = postgres.directory() + " (embedded PostgreSQL on 127.0.0.1:" + postgres.port() + ")";
        Engines engines = open(storage, stores, bounds, closing, metrics, about);
        postgres.supervise();
        return new Engines(
                engines.locks(),
                engines.queues(),
                about,
                () -> postgres.isRestarting() ? Optional.of(RESTARTING) : Optional.empty());
    }

    private static Engines open(
            Storage storage,
            List<Store> stores,
            QueueBounds bounds,
            CloseStack closing,
            Metrics metrics,
            String about) {
        List<HikariDataSource> pools = new ArrayList<>();
        PostgresQueues.Builder builder =
                PostgresQueues.builder().options(options -> options.bounds(defaults -> bounds));
        for (Store store : stores) {
            HikariDataSource pool = closing.add(Pools.open(store, metrics));
            Schemas.prepareQueues(pool, store, storage.migrate());
            builder.store(store.name(), store.affinity(), pool);
            pools.add(pool);
        }
        prepareLocks(storage, pools.get(0), stores.get(0));
        PostgresLocks locks = PostgresLocks.create(pools.get(0));
        PostgresQueues queues = builder.build();
        return new Engines(locks, queues, about);
    }

    private static void prepareLocks(Storage storage, DataSource pool, Store store) {
        Schemas.prepareLocks(pool, store, storage.migrate());
        String view = storage.lockView();
        if (view != null && storage.migrate()) {
            Schemas.prepareView(pool, store, view);
        }
    }
}
