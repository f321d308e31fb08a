package dev.leasehold.postgres.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.postgres.Db;
import dev.leasehold.testkit.OwnPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** All the locks that a JVM holds renew together. */
@Tag("slow")
class RenewalBeatTest {
    private static final int LOCKS = 1000;

    @Test
    @Timeout(60)
    void a_thousand_held_locks_renew_in_one_statement_per_beat() {
        AtomicInteger renewals = new AtomicInteger();
        try (OwnPostgres postgres = OwnPostgres.start();
                PostgresLocks locks = PostgresLocks.builder(Db.withTables(postgres.newSchema()))
                        .sweepEvery(Duration.ZERO)
                        .options(o -> o.listener(event -> {
                            if (event.type() == LockEvent.Type.EXTEND) {
                                renewals.incrementAndGet();
                            }
                        }))
                        .build()) {
            List<CompletableFuture<Optional<PostgresLock>>> held = new ArrayList<>();
            for (int i = 0; i < LOCKS; i++) {
                held.add(locks.tryAcquireAsync(AcquireRequest.of("held:" + i).ttl(Duration.ofSeconds(6))));
            }
            held.forEach(lock -> assertThat(lock.join()).isPresent());
            long before = Db.nextTransactionId(postgres.dataSource());
            for (int beat = 1; beat <= 2; beat++) {
                int until = beat * LOCKS;
                Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> renewals.get() >= until);
                assertThat(renewals).hasValue(until);
                assertThat(Db.nextTransactionId(postgres.dataSource()) - before)
                        .as("transactions of " + beat + " beats")
                        .isEqualTo(beat);
            }
            assertThat(held).allMatch(lock -> lock.join().orElseThrow().isHeld());
        }
    }
}
