package dev.leasehold.examples;

import static dev.leasehold.examples.Story.say;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockException;
import dev.leasehold.postgres.lock.LockSchema;
import dev.leasehold.postgres.lock.PostgresLocks;
import dev.leasehold.testkit.TestPostgres;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** The ways to wait: not at all, for a while, without a thread, and until a signal says stop. */
public final class Waiting {
    private static final AcquireRequest PATIENT = AcquireRequest.of("report").waitFor(Duration.ofSeconds(30));

    private Waiting() {}

    public static void main(String[] args) {
        DataSource dataSource = TestPostgres.newSchema();
        LockSchema.create(dataSource);
        try (PostgresLocks locks = PostgresLocks.create(dataSource)) {
            HeldLock held = locks.acquire("report");
            notAtAll(locks);
            forAWhile(locks);
            untilToldToStop(locks);
            withoutAThread(locks, held);
        }
    }

    private static void notAtAll(PostgresLocks locks) {
        say("Not at all: %s.", locks.tryAcquire("report").isPresent() ? "granted" : "refused");
    }

    private static void forAWhile(PostgresLocks locks) {
        try {
            locks.acquire(AcquireRequest.of("report").waitFor(Duration.ofMillis(200)));
        } catch (LockException e) {
            say("For a while: %s: %s.", e.code().text(), e.getMessage());
        }
    }

    private static void untilToldToStop(PostgresLocks locks) {
        CancelSignal signal = new CancelSignal();
        CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS).execute(signal::cancel);
        try {
            locks.acquire(PATIENT.signal(signal));
        } catch (LockException e) {
            say("Until told to stop: %s: %s.", e.code().text(), e.getMessage());
        }
    }

    private static void withoutAThread(PostgresLocks locks, HeldLock held) {
        var first = locks.async().tryAcquire(PATIENT).thenAccept(lock -> use("one", lock.orElseThrow()));
        var second = locks.async().tryAcquire(PATIENT).thenAccept(lock -> use("another", lock.orElseThrow()));
        held.close();
        CompletableFuture.allOf(first, second).join();
    }

    private static void use(String who, HeldLock lock) {
        try (lock) {
            say("Without a thread: %s who waits was granted fence %s.", who, lock.fence());
        }
    }
}
