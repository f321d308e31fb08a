package dev.leasehold.bench.lock;

import dev.leasehold.bench.Versions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ClassPathResource;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Spring Integration's locks on JDBC. Whoever waits asks again and again. */
final class SpringLocker implements Locker {
    private static final Duration DEFAULT_PAUSE = Duration.ofMillis(100);
    private static final Duration SHORT_PAUSE = Duration.ofMillis(10);
    /** Long enough for what is held all through a run: nothing renews it. */
    private static final Duration TTL = Duration.ofMinutes(5);

    private static final String SCHEMA = "org/springframework/integration/jdbc/schema-postgresql.sql";

    private final DefaultLockRepository repository;
    private final JdbcLockRegistry registry;

    private SpringLocker(DefaultLockRepository repository, Duration pause) {
        this.repository = repository;
        this.registry = new JdbcLockRegistry(repository, TTL);
        registry.setIdleBetweenTries(pause);
    }

    static LockSystem defaults() {
        return system("spring", DEFAULT_PAUSE);
    }

    /** Waiters ask ten times as often as they do by default. */
    static LockSystem impatient() {
        return system("spring-10ms", SHORT_PAUSE);
    }

    private static LockSystem system(String name, Duration pause) {
        return new LockSystem(
                name,
                Versions.of("spring-integration"),
                "JdbcLockRegistry, insert ... ON CONFLICT DO NOTHING, idleBetweenTries " + pause.toMillis()
                        + " ms, HikariCP with 8 connections; no fence",
                dataSource -> new ResourceDatabasePopulator(new ClassPathResource(SCHEMA)).execute(dataSource),
                dataSource -> new SpringLocker(repository(dataSource), pause));
    }

    private static DefaultLockRepository repository(DataSource dataSource) {
        DefaultLockRepository repository = new DefaultLockRepository(dataSource);
        repository.setTransactionManager(new JdbcTransactionManager(dataSource));
        repository.setInsertQuery(repository.getInsertQuery() + " ON CONFLICT DO NOTHING");
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        repository.start();
        return repository;
    }

    JdbcLockRegistry registry() {
        return registry;
    }

    @Override
    public @Nullable Held acquire(String key, Duration wait) throws InterruptedException {
        Lock lock = registry.obtain(key);
        boolean got = wait.isZero() ? lock.tryLock() : lock.tryLock(wait.toNanos(), TimeUnit.NANOSECONDS);
        return got ? lock::unlock : null;
    }

    @Override
    public void close() {
        repository.stop();
    }
}
