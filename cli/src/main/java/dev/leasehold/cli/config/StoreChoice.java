package dev.leasehold.cli.config;

import dev.leasehold.cli.config.Storage.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Which kind of store the settings ask for. Most of them ask by being there: a URL asks for PostgreSQL, a data directory for the
 * embedded one. Two that ask for different kinds contradict each other.
 */
record StoreChoice(Kind kind, String source) {
    static final String PGPASSWORD = "PGPASSWORD";

    private static final List<String> FOR_POSTGRES = List.of(
            "postgres-url",
            "queue-storage.config.connection-string",
            "locker.postgres.host",
            "locker.postgres.port",
            "locker.postgres.database",
            "locker.postgres.username",
            "locker.postgres.password",
            "locker.postgres.ssl",
            "locker.postgres.schema");
    private static final List<String> FOR_EMBEDDED = List.of("data-dir", "embedded.port");

    private record Wish(Kind kind, ConfigValue value) {}

    static StoreChoice of(Settings settings) {
        List<Wish> wishes = new ArrayList<>();
        settings.find("store").ifPresent(value -> wishes.add(new Wish(kind(value), value)));
        given(settings, FOR_POSTGRES).forEach(value -> wishes.add(new Wish(Kind.POSTGRES, value)));
        drivers(settings).forEach(value -> wishes.add(new Wish(driver(value), value)));
        given(settings, FOR_EMBEDDED).forEach(value -> wishes.add(new Wish(Kind.EMBEDDED, value)));
        return decide(wishes);
    }

    private static StoreChoice decide(List<Wish> wishes) {
        if (wishes.isEmpty()) {
            return new StoreChoice(Kind.EMBEDDED, ConfigValue.DEFAULT);
        }
        Wish first = wishes.get(0);
        for (Wish wish : wishes) {
            if (wish.kind() != first.kind()) {
                throw Settings.contradiction(
                        first.value(),
                        wish.value(),
                        "the first asks for " + name(first.kind()) + ", the second for " + name(wish.kind())
                                + "; leave one of them out");
            }
        }
        ConfigValue value = first.value();
        return new StoreChoice(
                first.kind(), value.key().equals("store") ? value.source() : "follows from " + value.where());
    }

    private static String name(Kind kind) {
        return switch (kind) {
            case EMBEDDED -> "the embedded database";
            case POSTGRES -> "a PostgreSQL of your own";
            case MEMORY -> "a store in memory";
        };
    }

    private static Kind kind(ConfigValue value) {
        return Kind.valueOf(
                Settings.oneOf(value, List.of("embedded", "postgres", "memory")).toUpperCase(Locale.ROOT));
    }

    private static List<ConfigValue> given(Settings settings, List<String> keys) {
        return keys.stream()
                .filter(settings::isGiven)
                .flatMap(key -> settings.find(key).stream())
                .filter(value -> !value.source().equals(ConfigValue.variable(PGPASSWORD)))
                .toList();
    }

    private static List<ConfigValue> drivers(Settings settings) {
        return Stream.concat(Stream.of("queue-storage"), settings.elements("partition-storage").stream())
                .flatMap(element -> settings.find(element + ".driver").stream())
                .toList();
    }

    private static Kind driver(ConfigValue value) {
        return switch (value.text().strip().toLowerCase(Locale.ROOT)) {
            case "memory" -> Kind.MEMORY;
            case "postgres" -> Kind.POSTGRES;
            case "badger" ->
                throw new ConfigException(
                        value.where() + ": the driver badger is not available here; leave it out for the"
                                + " embedded PostgreSQL, or use the driver postgres with a connection-string");
            default ->
                throw new ConfigException(
                        value.where() + ": invalid driver; '" + value.text() + "' is not one of (Memory, Postgres)");
        };
    }
}
