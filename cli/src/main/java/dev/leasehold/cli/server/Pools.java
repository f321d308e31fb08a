package dev.leasehold.cli.server;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import dev.leasehold.cli.config.PostgresUrl;
import dev.leasehold.cli.config.Storage.Store;
import dev.leasehold.server.observe.Metrics;
import java.sql.SQLException;
import java.time.Duration;

/** Connection pools. */
final class Pools {
    /** Less than a call may take: the pool knows why it has no connection to give, a call that is over does not. */
    private static final Duration CONNECT = Duration.ofSeconds(4);

    private static final Duration IDLE = Duration.ofMinutes(1);

    private Pools() {}

    /** Opens the pool of a store; fails at once, in a sentence, if the database does not let us in. */
    static HikariDataSource open(Store store, Metrics metrics) {
        PostgresUrl url = store.url();
        HikariConfig config = new HikariConfig();
        config.setPoolName(store.name());
        config.setMetricRegistry(metrics.registry());
        config.setJdbcUrl(url.jdbcUrl());
        config.setUsername(url.user());
        config.setPassword(url.password());
        url.parameters().forEach(config::addDataSourceProperty);
        config.addDataSourceProperty("logServerErrorDetail", "false"); // details name lock ids and keys
        config.setMaximumPoolSize(store.poolSize());
        config.setMinimumIdle(1);
        config.setIdleTimeout(IDLE.toMillis());
        config.setConnectionTimeout(CONNECT.toMillis());
        try {
            return new HikariDataSource(config);
        } catch (PoolInitializationException e) {
            throw new StartException("could not open the database " + url.display() + ": " + reason(e), e);
        }
    }

    private static String reason(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null && root.getCause() instanceof SQLException) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage()).lines().findFirst().orElse("");
    }
}
