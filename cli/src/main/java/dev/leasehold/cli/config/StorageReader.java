package dev.leasehold.cli.config;

import dev.leasehold.cli.config.Storage.Kind;
import dev.leasehold.cli.config.Storage.Store;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads where locks and queues lie. */
final class StorageReader {
    /** Locks: two connections and one to listen. Queues: four and one to listen. */
    private static final int LEAST_MAIN_POOL = 8;

    private static final int LEAST_PARTITION_POOL = 5;
    private static final int MOST_POOL = 10_000;
    private static final int MOST_PORT = 65_535;
    private static final int MOST_AFFINITY = 1_000_000;
    private static final String POOL_SIZE = "locker.postgres.connectionPoolSize";
    private static final String DEFAULT_NAME = "postgres";

    private final Settings settings;
    private final StoreChoice choice;

    StorageReader(Settings settings, StoreChoice choice) {
        this.settings = settings;
        this.choice = choice;
    }

    Storage read() {
        return new Storage(
                choice.kind(),
                Path.of(settings.text("data-dir", "leasehold")),
                settings.number("embedded.port", 0, 0, MOST_PORT),
                choice.kind() == Kind.POSTGRES ? stores() : List.of(),
                poolSize(POOL_SIZE, LEAST_MAIN_POOL),
                settings.flag("migrate", true),
                lockView());
    }

    private @Nullable String lockView() {
        boolean asBefore = Stream.of("host", "database", "username", "password")
                .anyMatch(name -> settings.isGiven("locker.postgres." + name));
        return settings.text("locker.postgres.tableName").orElse(asBefore ? "locks" : null);
    }

    private List<Store> stores() {
        Optional<PostgresUrl> main = main();
        List<Store> stores = new ArrayList<>();
        List<String> elements = settings.elements("partition-storage");
        boolean mainIsListed =
                elements.stream().anyMatch(element -> url(element).isEmpty());
        if (elements.isEmpty() || (main.isPresent() && !mainIsListed)) {
            stores.add(new Store(
                    settings.text("queue-storage.name", DEFAULT_NAME),
                    elements.isEmpty() ? 1 : 0,
                    main.orElseGet(this::locker),
                    mainPoolSize()));
        }
        for (String element : elements) {
            stores.add(store(element, main, stores.isEmpty()));
        }
        refuseSameNames(stores);
        return stores;
    }

    private Store store(String element, Optional<PostgresUrl> main, boolean isFirst) {
        PostgresUrl url = url(element)
                .or(() -> main)
                .orElseThrow(() -> new ConfigException(
                        element + " (" + settings.first(element).source() + ") needs a 'config.connection-string'"));
        String size = element + ".config.max-conns";
        return new Store(
                settings.required(element, "name").text(),
                settings.number(element + ".affinity", 1, 0, MOST_AFFINITY),
                url,
                poolSize(settings.isGiven(size) ? size : POOL_SIZE, isFirst ? LEAST_MAIN_POOL : LEAST_PARTITION_POOL));
    }

    private static void refuseSameNames(List<Store> stores) {
        Set<String> names = new HashSet<>();
        for (Store store : stores) {
            if (!names.add(store.name())) {
                throw new ConfigException("two stores are named '" + store.name()
                        + "'; give each entry of partition-storage, and queue-storage, a name of its own");
            }
        }
        if (stores.stream().allMatch(store -> store.affinity() == 0)) {
            throw new ConfigException(
                    "no entry of partition-storage has an affinity above 0, so no partition can be placed");
        }
    }

    private Optional<PostgresUrl> url(String element) {
        return settings.find(element + ".config.connection-string")
                .map(PostgresUrl::parse)
                .map(this::withPassword);
    }

    /** The database that somebody named for everything, if anybody did. */
    private Optional<PostgresUrl> main() {
        List<ConfigValue> named = new ArrayList<>();
        settings.find("postgres-url").ifPresent(named::add);
        settings.find("queue-storage.config.connection-string").ifPresent(named::add);
        Stream.of("host", "port", "database", "username", "ssl")
                .flatMap(name -> settings.find("locker.postgres." + name).stream())
                .findFirst()
                .ifPresent(named::add);
        if (named.size() > 1) {
            throw Settings.contradiction(named.get(0), named.get(1), "each names a database; leave one of them out");
        }
        if (named.isEmpty()) {
            return settings.find("locker.postgres.password")
                    .filter(value -> settings.elements("partition-storage").isEmpty())
                    .map(value -> locker());
        }
        ConfigValue value = named.get(0);
        return Optional.of(
                value.key().startsWith("locker.") ? locker() : withSchema(withPassword(PostgresUrl.parse(value))));
    }

    /** LockServiceCentral's settings, with its defaults. */
    private PostgresUrl locker() {
        String host = settings.text("locker.postgres.host", "localhost");
        int port = settings.number("locker.postgres.port", 5432, 1, MOST_PORT);
        String bracketed = host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
        PostgresUrl url = new PostgresUrl(
                bracketed + ":" + port + "/" + settings.text("locker.postgres.database", "lockservice"),
                settings.text("locker.postgres.username", "postgres"),
                settings.text("locker.postgres.password").orElse(null),
                Map.of());
        return withSchema(settings.flag("locker.postgres.ssl", false) ? url.parameter("ssl", "true") : url);
    }

    private PostgresUrl withSchema(PostgresUrl url) {
        return settings.text("locker.postgres.schema")
                .map(schema -> url.parameter("currentSchema", schema))
                .orElse(url);
    }

    private PostgresUrl withPassword(PostgresUrl url) {
        return url.password() != null
                ? url
                : settings.text("locker.postgres.password").map(url::password).orElse(url);
    }

    private int mainPoolSize() {
        String size = "queue-storage.config.max-conns";
        return poolSize(settings.isGiven(size) ? size : POOL_SIZE, LEAST_MAIN_POOL);
    }

    private int poolSize(String key, int least) {
        ConfigValue value = settings.find(key).orElseThrow();
        int size = Settings.number(value, 1, MOST_POOL);
        if (size < least) {
            throw new ConfigException(value.where() + " must be at least " + least + ", got " + size
                    + (least == LEAST_MAIN_POOL
                            ? ": locks use 2 connections and queues 4,"
                            : ": queues use 4 connections,")
                    + " and each needs one more to listen on");
        }
        return size;
    }
}
