package dev.leasehold.bench.lock;

import dev.leasehold.bench.Versions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** ShedLock on JDBC. It cannot wait, has no fence, and never deletes a row. */
final class ShedLockLocker implements Locker {
    /** Long enough for what is held all through a run: nothing renews it. */
    static final Duration TTL = Duration.ofMinutes(5);

    private static final String TABLE = "create table shedlock (name varchar(64) not null primary key,"
            + " lock_until timestamp not null, locked_at timestamp not null, locked_by varchar(255) not null)";

    private final LockProvider provider;

    private ShedLockLocker(LockProvider provider) {
        this.provider = provider;
    }

    static LockSystem system() {
        return new LockSystem(
                "shedlock",
                Versions.of("shedlock"),
                "JdbcTemplateLockProvider, usingDbTime(), HikariCP with 8 connections; no fence",
                dataSource -> new JdbcTemplate(dataSource).execute(TABLE),
                dataSource ->
                        new ShedLockLocker(new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                                .withJdbcTemplate(new JdbcTemplate(dataSource))
                                .usingDbTime()
                                .build())));
    }

    SimpleLock lock(String key) {
        return take(key).orElseThrow(() -> new IllegalStateException("nobody else has '" + key + "'"));
    }

    @Override
    public @Nullable Held acquire(String key, Duration wait) {
        return take(key).<Held>map(lock -> lock::unlock).orElse(null);
    }

    private Optional<SimpleLock> take(String key) {
        return provider.lock(new LockConfiguration(Instant.now(), key, TTL, Duration.ZERO));
    }

    @Override
    public void close() {}
}
