package dev.leasehold.chaos.workload;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.chaos.site.Urls;
import dev.leasehold.client.HttpLocks;
import dev.leasehold.client.HttpQueues;
import dev.leasehold.lock.Locks;
import dev.leasehold.postgres.lock.PostgresLocks;
import dev.leasehold.postgres.queue.PostgresQueues;
import dev.leasehold.queue.Queues;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** How a client reaches locks and queues: the library on PostgreSQL, with a pool or without, or over HTTP. */
final class ClientAccess implements AutoCloseable {
    private static final int POOL = 12;

    /** So short that a commit that is held up for some seconds has an unknown outcome. */
    private static final Duration IMPATIENT = Duration.ofSeconds(1);

    private final Deque<Runnable> open = new ArrayDeque<>();
    private final Locks locks;
    private final Locks impatient;
    private final Queues queues;
    private final DataSource business;

    private ClientAccess(Urls urls, List<URI> servers, boolean pooled) {
        this.business = business(urls, pooled);
        if (servers.isEmpty()) {
            DataSource first = source(urls.firstSource(), pooled);
            DataSource second = source(urls.secondSource(), pooled);
            locks = PostgresLocks.create(first);
            impatient =
                    PostgresLocks.builder(urls.firstSource()).timeout(IMPATIENT).build();
            open.push(impatient::close);
            queues = PostgresQueues.builder()
                    .store("first", 1, first)
                    .store("second", 1, second)
                    .build();
        } else {
            HttpLocks.Builder lockBuilder = HttpLocks.builder(servers.get(0));
            HttpQueues.Builder queueBuilder = HttpQueues.builder(servers.get(0));
            servers.stream().skip(1).forEach(server -> {
                lockBuilder.server(server);
                queueBuilder.server(server);
            });
            locks = lockBuilder.build();
            impatient = locks;
            queues = queueBuilder.build();
        }
        open.push(locks::close);
        open.push(queues::close);
    }

    /** Opens one: over HTTP if servers are named. */
    static ClientAccess open(Urls urls, List<URI> servers, boolean pooled) {
        return new ClientAccess(urls, servers, pooled);
    }

    /** Prepares nothing under a name: through PgBouncer even a commit might be somebody else's statement, answered and in vain. */
    private DataSource business(Urls urls, boolean pooled) {
        PGSimpleDataSource own = urls.firstSource();
        own.setPrepareThreshold(0);
        own.setSocketTimeout((int) Duration.ofSeconds(10).toSeconds());
        return source(own, pooled);
    }

    private DataSource source(PGSimpleDataSource plain, boolean pooled) {
        if (!pooled) {
            return plain;
        }
        HikariConfig config = new HikariConfig();
        config.setDataSource(plain);
        config.setMaximumPoolSize(POOL);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(Duration.ofSeconds(5).toMillis());
        config.setInitializationFailTimeout(-1);
        HikariDataSource pool = new HikariDataSource(config);
        open.push(pool::close);
        return pool;
    }

    Locks locks() {
        return locks;
    }

    /** Locks whose calls fail after a second; over HTTP the same as the others. */
    Locks impatient() {
        return impatient;
    }

    Queues queues() {
        return queues;
    }

    DataSource business() {
        return business;
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            open.pop().run();
        }
    }
}
