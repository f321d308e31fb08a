package dev.leasehold.postgres.lock;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.admin.Capabilities;
import dev.leasehold.lock.engine.RenewingLocks;
import dev.leasehold.testkit.FenceCounters;
import dev.leasehold.testkit.LockFixture;
import dev.leasehold.testkit.StallingNode;
import dev.leasehold.testkit.TestClock;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.proxy.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.postgresql.ds.PGSimpleDataSource;

/** Nodes on one database, all through one HikariCP pool. */
final class PostgresFixture implements LockFixture {
    private static final PGSimpleDataSource DIRECT = TestPostgres.newSchema();
    private static final HikariDataSource POOL = pool();

    private final TestClock clock = new TestClock();
    private final List<PostgresLocks> nodes = new CopyOnWriteArrayList<>();
    private final List<Proxy> proxies = new CopyOnWriteArrayList<>();

    private static HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(DIRECT);
        config.setMaximumPoolSize(20);
        config.setMinimumIdle(4);
        HikariDataSource pool = new HikariDataSource(config);
        LockSchema.create(pool);
        return pool;
    }

    @Override
    public RenewingLocks node(LockOptions options) {
        PostgresLocks node = PostgresLocks.builder(POOL)
                .testClock(clock)
                .options(ignored -> options)
                .build();
        nodes.add(node);
        return node.renewing();
    }

    @Override
    public Optional<StallingNode> stallingNode() {
        Proxy proxy = Proxy.before(DIRECT);
        proxies.add(proxy);
        PostgresLocks node = PostgresLocks.builder(proxy.through(DIRECT))
                .testClock(clock)
                .timeout(Duration.ofMinutes(10))
                .sweepEvery(Duration.ZERO)
                .build();
        nodes.add(node);
        return Optional.of(new Stalling(node, proxy));
    }

    /** Behind a proxy that lets nothing pass. */
    private static final class Stalling implements StallingNode {
        private final PostgresLocks node;
        private final Proxy proxy;
        private volatile long before;

        Stalling(PostgresLocks node, Proxy proxy) {
            this.node = node;
            this.proxy = proxy;
        }

        @Override
        public RenewingLocks locks() {
            return node.renewing();
        }

        @Override
        public void stall() {
            before = node.statistics().messages();
            proxy.faults().blackHole();
        }

        @Override
        public boolean isAsked() {
            return node.statistics().messages() > before;
        }
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities("postgres", true, Capabilities.TimeAuthority.SERVER);
    }

    @Override
    public TestClock clock() {
        return clock;
    }

    @Override
    public void setFenceCounter(String key, long value) {
        FenceCounters.set(POOL, key, value);
    }

    @Override
    public void close() {
        proxies.forEach(Proxy::close);
        nodes.forEach(PostgresLocks::close);
    }
}
