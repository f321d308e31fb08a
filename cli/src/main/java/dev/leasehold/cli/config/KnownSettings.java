package dev.leasehold.cli.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** All settings that there are, with their defaults: the one place. {@code docs/configuration.md} explains them. */
public final class KnownSettings {
    public static final List<Setting> ALL = List.of(
            Setting.of("address", "127.0.0.1:2319").alsoFrom("QUERATOR_ADDRESS"),
            Setting.of("management-port"),
            Setting.of("store"),
            Setting.of("data-dir"),
            Setting.of("embedded.port", "0"),
            Setting.of("postgres-url").secret(),
            Setting.of("migrate", "true"),
            Setting.of("logging.handler", "color"),
            Setting.of("logging.level", "info").alsoFrom("QUERATOR_LOG_LEVEL"),
            Setting.of("tls.certificate"),
            Setting.of("tls.key"),
            Setting.of("limits.connections", "20000"),
            Setting.of("limits.header-bytes", "16384"),
            Setting.of("limits.produce-bytes", "5000000"),
            Setting.of("limits.body-bytes"),
            Setting.of("limits.answer-bytes"),
            Setting.of("limits.partitions", "1000"),
            Setting.of("limits.request-time", "30s"),
            Setting.of("limits.idle-time", "5m"),
            Setting.of("auth.keys[].name"),
            Setting.of("auth.keys[].sha256").secret(),
            Setting.of("auth.keys[].grants[].namespace"),
            Setting.of("auth.keys[].grants[].permissions[]"),
            Setting.of("auth-backend.driver", "none"),
            Setting.of("authentication.disabled", "false"),
            Setting.of("jwt.issuer"),
            Setting.of("jwt.jwks"),
            Setting.of("jwt.audience"),
            Setting.of("jwt.any-audience", "false"),
            Setting.of("jwt.grants"),
            Setting.of("jwt.grants[].namespace"),
            Setting.of("jwt.grants[].permissions[]"),
            Setting.of("app.env"),
            Setting.of("app.region"),
            Setting.of("app.version"),
            Setting.of("locker.postgres.host"),
            Setting.of("locker.postgres.port"),
            Setting.of("locker.postgres.database"),
            Setting.of("locker.postgres.schema"),
            Setting.of("locker.postgres.username"),
            Setting.of("locker.postgres.password").secret().alsoFrom(StoreChoice.PGPASSWORD),
            Setting.of("locker.postgres.ssl"),
            Setting.of("locker.postgres.connectionPoolSize", "10"),
            Setting.of("locker.postgres.tableName"),
            Setting.of("queue-storage.name"),
            Setting.of("queue-storage.driver"),
            Setting.of("queue-storage.config.storage-dir"),
            Setting.of("queue-storage.config.connection-string").secret(),
            Setting.of("queue-storage.config.max-conns"),
            Setting.of("partition-storage[].name"),
            Setting.of("partition-storage[].driver"),
            Setting.of("partition-storage[].affinity"),
            Setting.of("partition-storage[].config.storage-dir"),
            Setting.of("partition-storage[].config.connection-string").secret(),
            Setting.of("partition-storage[].config.max-conns"),
            Setting.of("queues[].name"),
            Setting.of("queues[].dead-queue"),
            Setting.of("queues[].lease-timeout"),
            Setting.of("queues[].expire-timeout"),
            Setting.of("queues[].max-attempts"),
            Setting.of("queues[].discard-dead"),
            Setting.of("queues[].reference"),
            Setting.of("queues[].requested-partitions"),
            Setting.of("queues[].partitions[].partition"),
            Setting.of("queues[].partitions[].read-only"),
            Setting.of("queues[].partitions[].storage-name"));

    private static final Map<String, Setting> BY_KEY =
            ALL.stream().collect(Collectors.toMap(Setting::key, Function.identity()));

    private KnownSettings() {}

    /** The setting that a full key is an instance of. */
    static Optional<Setting> find(String key) {
        return Optional.ofNullable(BY_KEY.get(Setting.pattern(key)));
    }

    static boolean isSecret(String key) {
        return find(key).map(Setting::isSecret).orElse(true);
    }
}
