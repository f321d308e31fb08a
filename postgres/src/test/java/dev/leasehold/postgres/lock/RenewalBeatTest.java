package dev.leasehold.postgres.lock;

import static dev.leasehold.testkit.TestWaits.await;
import static dev.leasehold.testkit.TestWaits.inSeveralTries;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.postgres.CountingSocketFactory;
import dev.leasehold.postgres.CountingSocketFactory.Counts;
import dev.leasehold.postgres.Db;
import dev.leasehold.testkit.TestWaits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** All the locks that a JVM holds renew together. */
@Timeout(TestWaits.TEST_LIMIT)
@Tag("slow")
class RenewalBeatTest {
    private static final int LOCKS = 1000;
    private static final Duration TTL = Duration.ofSeconds(3);

    private final PGSimpleDataSource dataSource = Db.withTables();
    private final Counts counts = CountingSocketFactory.count(dataSource);

    @Test
    void a_thousand_held_locks_renew_in_four_statements_per_beat() {
        inSeveralTries(this::renewTogether);
    }

    private void renewTogether(int number) {
        AtomicInteger renewals = new AtomicInteger();
        try (PostgresLocks locks = node(renewals)) {
            List<CompletableFuture<Optional<HeldLock>>> held = IntStream.range(0, LOCKS)
                    .mapToObj(i -> AcquireRequest.of("held:" + number + ":" + i).ttl(TTL))
                    .map(locks.async()::tryAcquire)
                    .toList();
            held.forEach(lock -> assertThat(lock.join()).isPresent());
            int before = counts.transactions();
            for (int beat = 1; beat <= 2; beat++) {
                int until = beat * LOCKS;
                await().until(() -> renewals.get() >= until);
                assertThat(renewals).hasValue(until);
                assertThat(counts.transactions() - before)
                        .as("transactions of " + beat + " beats")
                        .isEqualTo(4 * beat);
            }
            assertThat(held).allMatch(lock -> lock.join().orElseThrow().isHeld());
        }
    }

    private PostgresLocks node(AtomicInteger renewals) {
        return PostgresLocks.builder(dataSource)
                .sweepEvery(Duration.ZERO)
                .options(options -> options.listener(event -> {
                    if (event.type() == LockEvent.Type.EXTEND) {
                        renewals.incrementAndGet();
                    }
                }))
                .build();
    }
}
