package dev.leasehold.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.Holder;
import dev.leasehold.lock.LockLostException;
import dev.leasehold.testkit.TestPostgres;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class PostgresLocksSmokeTest {
    @Test
    void smoke() throws Exception {
        PGSimpleDataSource ds = TestPostgres.newSchema();
        PostgresSchema.create(ds);
        PostgresSchema.create(ds);
        try (PostgresLocks locks = PostgresLocks.create(ds);
                PostgresLocks other = PostgresLocks.create(ds)) {
            PostgresLock lock = locks.acquire("a");
            assertThat(lock.fence().value()).isEqualTo(1);
            assertThat(locks.tryAcquire("a")).isEmpty();
            assertThat(other.isLocked("a")).isTrue();
            assertThat(lock.extend(Duration.ofSeconds(10))).isTrue();
            try (Connection c = ds.getConnection()) {
                c.setAutoCommit(false);
                lock.guard(c);
                assertThat(lock.extend(Duration.ofSeconds(10))).isTrue();
                c.commit();
            }
            var waiting = other.tryAcquireAsync(AcquireRequest.of("a").waitFor(Duration.ofSeconds(5)));
            Thread.sleep(300);
            long t = System.nanoTime();
            assertThat(lock.release()).isTrue();
            PostgresLock next = waiting.get().orElseThrow();
            System.out.println("handover ms " + (System.nanoTime() - t) / 1e6);
            assertThat(next.fence().value()).isEqualTo(2);
            try (Connection c = ds.getConnection()) {
                c.setAutoCommit(false);
                assertThatThrownBy(() -> lock.guard(c)).isInstanceOf(LockLostException.class);
                c.rollback();
            }
            next.close();
            var h = Holder.of("o", "i");
            var l1 = locks.acquire(AcquireRequest.of("h").holder(h));
            var l2 = other.acquire(AcquireRequest.of("h").holder(h).ttl(Duration.ofSeconds(60)));
            assertThat(l2.lockId()).isEqualTo(l1.lockId());
            assertThat(l2.fence()).isEqualTo(l1.fence());
            assertThat(l2.expiresAt()).isAfter(l1.expiresAt());
            assertThat(locks.getByKey("h").orElseThrow().holder()).contains(h);
        }
    }
}
