package dev.leasehold.cli.server;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.cli.config.PostgresUrl;
import dev.leasehold.cli.config.Storage;
import dev.leasehold.cli.config.Storage.Store;
import dev.leasehold.cli.embedded.EmbeddedPostgres;
import dev.leasehold.lock.Locks;
import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.postgres.lock.PostgresLocks;
import dev.leasehold.postgres.queue.PostgresQueues;
import dev.leasehold.queue.Queues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Locks and queues, ready to use.
 *
 * @param about what they lie in, for people
 */
record Engines(Locks<?> locks, Queues queues, String about) {

    /** Opens them; what has to be closed after them is in {@code closing}. */
    static Engines open(Storage storage, Closing closing) {
        return switch (storage.kind()) {
            case MEMORY ->
                new Engines(
                        MemoryLocks.create(), MemoryQueues.create(), "in memory; all is gone when the server stops");
            case POSTGRES -> {
                Store main = storage.stores().get(0);
                yield open(storage, storage.stores(), closing, main.url().display());
            }
            case EMBEDDED -> embedded(storage, closing);
        };
    }

    private static Engines embedded(Storage storage, Closing closing) {
        EmbeddedPostgres postgres = closing.add(EmbeddedPostgres.start(storage.dataDir(), storage.embeddedPort()));
        PostgresUrl url = new PostgresUrl(
                "127.0.0.1:" + postgres.port() + "/" + postgres.user(), postgres.user(), postgres.password(), Map.of());
        List<Store> stores = List.of(new Store("postgres", 1, url, storage.poolSize()));
        return open(
                storage,
                stores,
                closing,
                postgres.directory() + " (embedded PostgreSQL on 127.0.0.1:" + postgres.port() + ")");
    }

    private static Engines open(Storage storage, List<Store> stores, Closing closing, String about) {
        List<HikariDataSource> pools = new ArrayList<>();
        PostgresQueues.Builder queues = PostgresQueues.builder();
        for (Store store : stores) {
            HikariDataSource pool = closing.add(Pools.open(store.name(), store.url(), store.poolSize()));
            Schemas.prepareQueues(pool, store, storage.migrate());
            queues.store(store.name(), store.affinity(), pool);
            pools.add(pool);
        }
        Schemas.prepareLocks(pools.get(0), stores.get(0), storage.migrate());
        String view = storage.lockView();
        if (view != null && storage.migrate()) {
            Schemas.prepareView(pools.get(0), stores.get(0), view);
        }
        return new Engines(PostgresLocks.create(pools.get(0)), queues.build(), about);
    }
}
