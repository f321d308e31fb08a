package dev.leasehold.postgres.lock;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.Fence;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockLostException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.postgres.Db;
import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.process.ChildJvm;
import dev.leasehold.testkit.process.ChildJvm.Program;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.postgresql.ds.PGSimpleDataSource;

/** What a test does in this JVM, or in another one: {@code java ... Worker <schema> <work> <count>}. */
final class Worker {
    static final String BATON = "baton";
    static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration NEVER = Duration.ofHours(1);

    private final PGSimpleDataSource dataSource;

    Worker(PGSimpleDataSource dataSource) {
        this.dataSource = dataSource;
    }

    public static void main(String[] args) throws Exception {
        PGSimpleDataSource dataSource = TestPostgres.dataSource();
        dataSource.setCurrentSchema(args[0]);
        Worker worker = new Worker(dataSource);
        int count = Integer.parseInt(args[2]);
        System.out.println("ready");
        List<String> lines = switch (args[1]) {
            case "count" -> List.of("done " + worker.count(count));
            case "guarded" -> List.of("done " + worker.countGuarded(count));
            default -> List.of("done " + worker.takeOver(count));
        };
        lines.forEach(System.out::println);
    }

    /** Starts another JVM with this class. */
    ChildJvm inAnotherJvm(String work, int count) {
        return ChildJvm.start(
                Program.of(Worker.class, String.valueOf(dataSource.getCurrentSchema()), work, Integer.toString(count))
                        .environment(TestPostgres.environment()));
    }

    static List<String> output(ChildJvm other) {
        List<String> lines = other.lines().toList();
        if (!other.awaitEnd(PATIENCE) || other.exitStatus() != 0) {
            throw new AssertionError("the other JVM failed: " + lines);
        }
        return lines;
    }

    /** Raises a counter that nothing but the lock protects: read, then write, in two transactions. */
    int count(int times) throws SQLException {
        try (PostgresLocks locks = locks(o -> o);
                Connection connection = dataSource.getConnection()) {
            for (int i = 0; i < times; i++) {
                try (HeldLock lock = locks.acquire(AcquireRequest.of("counter").waitFor(Duration.ofSeconds(50)))) {
                    lock.checkpoint();
                    long value = Db.number(connection, "select value from counter");
                    Db.execute(connection, "update counter set value = " + (value + 1));
                }
            }
            return times;
        }
    }

    /** Raises the counter in guarded transactions, with a lease that is over before the work is; counts what was committed. */
    int countGuarded(int times) throws SQLException {
        int committed = 0;
        try (PostgresLocks locks = locks(o -> o);
                Connection connection = Db.transaction(dataSource)) {
            for (int i = 0; i < times; i++) {
                HeldLock lock = locks.acquire(AcquireRequest.of("counter")
                        .ttl(Duration.ofMillis(1))
                        .withoutRenewal()
                        .waitFor(Duration.ofSeconds(50)));
                committed += raiseGuarded(lock, connection, i % 2 == 0) ? 1 : 0;
            }
        }
        return committed;
    }

    private static boolean raiseGuarded(HeldLock lock, Connection connection, boolean overrun) throws SQLException {
        try {
            if (overrun) {
                Db.number(connection, "select count(pg_sleep(1.005))"); // until somebody else has the lock
                connection.commit();
            }
            lock.guard(connection);
            long value = Db.number(connection, "select value from counter");
            Db.execute(connection, "update counter set value = " + (value + 1));
            connection.commit();
            return true;
        } catch (LockLostException e) {
            connection.rollback();
            return false;
        } finally {
            lock.close();
        }
    }

    /** Waits for the lock again and again, each time when somebody else has it; counts how often it got it. */
    int takeOver(int times) {
        try (PostgresLocks locks = locksThatNeverPoll()) {
            for (int i = 1; i <= times; i++) {
                HeldLock lock = locks.acquire(AcquireRequest.of(BATON).waitFor(PATIENCE));
                lock.release();
                if (i < times) {
                    Awaitility.await().atMost(PATIENCE).until(() -> isHeldAfter(locks, lock.fence()));
                }
            }
            return times;
        }
    }

    private static boolean isHeldAfter(PostgresLocks locks, Fence mine) {
        return locks.getByKey(BATON)
                .filter(info -> info.fence().compareTo(mine) > 0)
                .isPresent();
    }

    /** Whoever waits there relies on wake-ups: neither a poll nor the end of a lease comes within the time of a test. */
    PostgresLocks locksThatNeverPoll() {
        return locks(o -> o.pollInterval(NEVER).ttl(NEVER));
    }

    /** In the other JVM too a call may be slow because the machine is busy. */
    private PostgresLocks locks(UnaryOperator<LockOptions> change) {
        return PostgresLocks.builder(dataSource)
                .timeout(PATIENCE)
                .options(change)
                .build();
    }
}
