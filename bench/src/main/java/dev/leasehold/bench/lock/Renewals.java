package dev.leasehold.bench.lock;

import dev.leasehold.bench.Bench;
import dev.leasehold.bench.Contender;
import dev.leasehold.bench.Recorder;
import dev.leasehold.bench.Trial;
import dev.leasehold.bench.Variant;
import dev.leasehold.bench.Workers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import net.javacrumbs.shedlock.core.SimpleLock;

/** L4: a thousand locks are held, and renewed all together. One operation is the renewal of all of them. */
final class Renewals {
    static final int LOCKS = 1000;
    private static final int FEW = 50;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private Renewals() {}

    static List<Contender> contenders() {
        return List.of(
                LeaseholdLocker.defaults().in(LeaseholdBeats::open),
                ShedLockLocker.system()
                        .in((nodes, variant) -> OneByOne.open(nodes, Bench.CONNECTIONS, Renewals::shedLock)),
                SpringLocker.defaults().in((nodes, variant) -> OneByOne.open(nodes, 1, Renewals::spring)),
                RawLocker.system().in(Renewals::rawStatement));
    }

    /** How many locks are held; a few where it only matters that it runs. */
    static int count(LockSystem.Nodes nodes) {
        return nodes.bench().isShort() ? FEW : LOCKS;
    }

    static String key(int number) {
        return "held-" + number;
    }

    private static OneByOne.Renewal shedLock(Locker locker, String key) {
        SimpleLock[] lock = {((ShedLockLocker) locker).lock(key)};
        return () -> lock[0] = lock[0].extend(ShedLockLocker.TTL, Duration.ZERO)
                .orElseThrow(() -> new IllegalStateException("a lock was lost"));
    }

    /** All in one thread: its keys share 256 locks of the JVM, so two threads that hold many would wait for each other. */
    private static OneByOne.Renewal spring(Locker locker, String key) throws InterruptedException {
        SpringLocker spring = (SpringLocker) locker;
        if (spring.acquire(key, PATIENCE) == null) {
            throw new IllegalStateException("nobody else has '" + key + "', and it was refused all the same");
        }
        return () -> spring.registry().renewLock(key);
    }

    /** One statement for all, by hand. */
    private static Trial rawStatement(LockSystem.Nodes nodes, Variant variant) throws Exception {
        LockSystem.Node node = nodes.open();
        for (int i = 0; i < count(nodes); i++) {
            node.locker().acquire(key(i), Duration.ZERO);
        }
        return new RawRenewal(nodes, node);
    }

    private record RawRenewal(LockSystem.Nodes nodes, LockSystem.Node node) implements Trial {
        @Override
        public void run(Recorder recorder, Duration duration) throws Exception {
            try (Connection connection = node.pool().getConnection();
                    PreparedStatement statement = connection.prepareStatement(RawSql.EXTEND_ALL)) {
                Workers.run(recorder, duration, List.of(() -> renew(statement, count(nodes))));
            }
        }

        private static long renew(PreparedStatement statement, int locks) throws SQLException {
            if (statement.executeUpdate() != locks) {
                throw new IllegalStateException("a lock was lost");
            }
            return 1;
        }

        @Override
        public void close() {
            try (nodes) {
                node.close();
            }
        }
    }
}
