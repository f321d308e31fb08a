package dev.leasehold.postgres.lock;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.postgres.Db;
import dev.leasehold.testkit.TestClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.postgresql.ds.PGSimpleDataSource;

/** A ledger that is written under a lock, two nodes that want it, and a clock that moves when it is told to. */
abstract class GuardedLedger {
    static final int READ_COMMITTED = Connection.TRANSACTION_READ_COMMITTED;
    static final int REPEATABLE_READ = Connection.TRANSACTION_REPEATABLE_READ;
    static final int SERIALIZABLE = Connection.TRANSACTION_SERIALIZABLE;
    static final Duration TTL = Duration.ofSeconds(30);

    /** With the tables of locks, and the ledger as each class wants it. */
    final PGSimpleDataSource dataSource;

    final TestClock clock = new TestClock();
    PostgresLocks locks;
    PostgresLocks others;

    /** One of those that a guard keeps waiting: it soon gives up. */
    PostgresLocks hasty;

    GuardedLedger(PGSimpleDataSource dataSource) {
        this.dataSource = dataSource;
    }

    static PGSimpleDataSource withLedger(String sql) {
        PGSimpleDataSource tables = Db.withTables();
        Db.execute(tables, sql);
        return tables;
    }

    @BeforeEach
    void open() {
        Db.execute(dataSource, "truncate ledger, syncguard_locks");
        locks = PostgresLocks.builder(dataSource).testClock(clock).build();
        others = PostgresLocks.builder(dataSource).testClock(clock).build();
        hasty = PostgresLocks.builder(dataSource)
                .testClock(clock)
                .timeout(Duration.ofMillis(600))
                .build();
    }

    @AfterEach
    void close() {
        locks.close();
        others.close();
        hasty.close();
    }

    final HeldLock acquire() {
        return locks.acquire(AcquireRequest.of("ledger").ttl(TTL).withoutRenewal());
    }

    final void outlive() {
        clock.advance(TTL.plusSeconds(1));
    }

    static void post(Connection connection, String entry) throws SQLException {
        Db.execute(connection, "insert into ledger values ('" + entry + "')");
    }

    final long entries() {
        return Db.number(dataSource, "select count(*) from ledger");
    }
}
