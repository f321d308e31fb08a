package dev.leasehold.testkit.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.lock.HeldLock;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockEvent.Result;
import dev.leasehold.lock.LockEvent.Type;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.engine.RenewingLocks;
import dev.leasehold.lock.spi.AcquireAttempt;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.BlockingLockStore;
import dev.leasehold.lock.spi.Liveness;
import dev.leasehold.lock.spi.LockStore;
import dev.leasehold.testkit.LockFixture;
import dev.leasehold.testkit.SuiteFixture;
import dev.leasehold.testkit.TestClock;
import dev.leasehold.testkit.TestWaits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What the contracts share: a node, the store below it, the clock by which it decides, and words for the usual steps.
 *
 * <p>Nothing here sleeps. Expiry is reached by moving the clock, everything else by waiting for a condition.
 */
@Timeout(value = TestWaits.TEST_LIMIT, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(SuiteFixture.class)
public abstract class LockContract {
    /** Long enough never to end during a test unless the clock is moved. */
    protected static final Duration TTL = Duration.ofMinutes(5);

    /** A poll or a wait that no test lives to see: what happens was not polled for, and did not end by itself. */
    protected static final Duration NEVER = Duration.ofMinutes(10);

    /** The width of a clock comparison between the test and the store. */
    private static final Duration CLOCK_SLACK = Duration.ofMillis(250);

    private final String unique = UUID.randomUUID().toString().substring(0, 13);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<RenewingLocks> ownNodes = new CopyOnWriteArrayList<>();
    private LockFixture fixture;
    private RenewingLocks locks;
    private long startNanos;

    @BeforeEach
    final void openFixture(LockFixture fixture) {
        startNanos = System.nanoTime();
        this.fixture = fixture;
        locks = fixture.node(LockOptions.DEFAULT);
    }

    @AfterEach
    final void closeFixture() throws InterruptedException {
        threads.shutdownNow();
        ownNodes.forEach(RenewingLocks::close);
        fixture.close();
        assertThat(threads.awaitTermination(TestWaits.LIMIT.toSeconds(), TimeUnit.SECONDS))
                .as("background work ended")
                .isTrue();
    }

    protected final LockFixture fixture() {
        return fixture;
    }

    /** The node of this test, with default options. */
    protected final RenewingLocks locks() {
        return locks;
    }

    /** Another node on the same locks. */
    protected final RenewingLocks node(LockOptions options) {
        return fixture.node(options);
    }

    /** Another node on the same locks, with default options. */
    protected final RenewingLocks anotherNode() {
        return node(LockOptions.DEFAULT);
    }

    /** A node that is only ever woken, never polls, and tells what it does. */
    protected final RenewingLocks wokenNode(HeardEvents heard) {
        return node(LockOptions.DEFAULT.pollInterval(NEVER).listener(heard));
    }

    /** A node over a store of the test's own making. */
    protected final RenewingLocks nodeOn(LockStore store, LockOptions options) {
        RenewingLocks node = new RenewingLocks(store, options);
        ownNodes.add(node);
        return node;
    }

    protected final LockStore store() {
        return locks.store();
    }

    protected final BlockingLockStore blocking() {
        return store().blocking();
    }

    protected final TestClock clock() {
        return fixture.clock();
    }

    protected final Instant now() {
        return Instant.ofEpochMilli(clock().getAsLong());
    }

    /** A key that only this test uses. */
    protected final String key(String name) {
        return name + ":" + unique;
    }

    protected final LockKey lockKey(String name) {
        return LockKey.of(key(name));
    }

    protected final AcquireAttempt attempt(String name) {
        return attempt(name, TTL);
    }

    protected final AcquireAttempt attempt(String name, Duration ttl) {
        return AcquireAttempt.of(lockKey(name), ttl);
    }

    protected final AcquireRequest request(String name) {
        return AcquireRequest.of(key(name));
    }

    /** Acquires at the store, with no handle, and insists. */
    protected final Granted grant(String name) {
        return grant(attempt(name));
    }

    protected final Granted grant(AcquireAttempt attempt) {
        AcquireResult result = blocking().acquire(attempt);
        assertThat(result).isInstanceOf(Granted.class);
        return (Granted) result;
    }

    protected final boolean isRefused(String name) {
        return !blocking().acquire(attempt(name)).ok();
    }

    protected final boolean isLocked(String name) {
        return blocking().isLocked(lockKey(name));
    }

    protected final boolean release(Granted granted) {
        return blocking().release(granted.lockId()).ok();
    }

    protected final boolean extend(LockId lockId, Duration ttl) {
        return blocking().extend(lockId, ttl).ok();
    }

    /** Moves the clock until a grant of {@code ttl} that was made by now is dead, tolerance and all. */
    protected final void outlive(Duration ttl) {
        clock().advance(ttl.plusMillis(Liveness.TOLERANCE_MS));
    }

    /** Waits until something is so that ought to be so soon. */
    protected static void await(Callable<Boolean> condition) {
        TestWaits.await().until(condition);
    }

    /** Waits until nobody holds the lock. */
    protected final void awaitFree(String name) {
        await(() -> !isLocked(name));
    }

    /** Waits until somebody of the node stands in line. */
    protected final void awaitInLine(HeardEvents heard) {
        await(() -> fixture.isInLine(heard.count(Type.ACQUIRE, Result.FAIL)));
    }

    /** Runs work in a thread of its own, ended with the test. */
    protected final <T> CompletableFuture<T> inBackground(Callable<T> work) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return work.call();
                    } catch (RuntimeException e) {
                        throw e;
                    } catch (Exception e) {
                        throw new CompletionException(e);
                    }
                },
                threads);
    }

    /** The result of something that ought to be there soon; its own failure if it failed. */
    protected static <T> T soon(CompletableFuture<T> future) {
        return inTime(TestWaits.LIMIT, future);
    }

    protected static <T> T inTime(Duration time, CompletableFuture<T> future) {
        try {
            return future.orTimeout(time.toMillis(), TimeUnit.MILLISECONDS).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof TimeoutException) {
                throw new AssertionError("not done within " + time, e);
            }
            throw e.getCause() instanceof RuntimeException known ? known : e;
        }
    }

    /** How far two readings of a clock in this test may be apart: no further than the test has taken until now. */
    protected final Duration clockSlack() {
        return CLOCK_SLACK.plusNanos(System.nanoTime() - startNanos);
    }

    /** Asserts that two readings of the store's clock are as good as the same. */
    protected final void assertNear(Instant actual, Instant expected) {
        assertThat(actual).isBetween(expected.minus(clockSlack()), expected.plus(clockSlack()));
    }

    /** The handle that ought to have been granted. */
    protected static HeldLock held(Optional<? extends HeldLock> result) {
        assertThat(result).isPresent();
        return result.orElseThrow();
    }

    /** Asserts that {@code call} fails as a lock operation with this code. */
    protected static LockException assertFails(LockErrorCode code, ThrowingCallable call) {
        LockException error = catchThrowableOfType(LockException.class, call);
        assertThat(error).as("a LockException").isNotNull();
        assertThat(error.code()).as(error.getMessage()).isEqualTo(code);
        return error;
    }
}
