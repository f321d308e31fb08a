package dev.leasehold.syncguard;

import dev.leasehold.lock.CancelSignal;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.spi.Nanos;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/** SyncGuard's retry loop: attempt, sleep, attempt again. Sleeps end at once when a signal or an interrupt comes. */
final class RetryLoop {
    private final RetryPolicy policy;
    private final CancelSignal userSignal;
    private final CancelSignal acquisitionSignal;
    private final DoubleSupplier random;
    private final long startNanos = System.nanoTime();
    private int attempts;

    RetryLoop(RetryPolicy policy, CancelSignal userSignal, CancelSignal acquisitionSignal, DoubleSupplier random) {
        this.policy = policy;
        this.userSignal = userSignal;
        this.acquisitionSignal = acquisitionSignal;
        this.random = random;
    }

    /** Calls {@code attempt} until it has a result or the policy gives up. */
    <T> T run(Supplier<Optional<T>> attempt) {
        while (true) {
            attempts++;
            checkTime();
            checkSignals();
            Optional<T> result = attempt.get();
            if (result.isPresent()) {
                return result.get();
            }
            if (attempts > policy.maxRetries()) {
                throw timeout("Failed to acquire lock after " + attempts + " attempts (lock contention)");
            }
            sleep(nextDelay());
            checkSignals();
        }
    }

    private void checkTime() {
        Duration elapsed = elapsed();
        if (elapsed.compareTo(policy.timeout()) >= 0) {
            throw timeout("Failed to acquire lock after " + elapsed.toMillis() + "ms (" + attempts + " attempts)");
        }
    }

    private void checkSignals() {
        if (userSignal.isCancelled()) {
            throw new LockException(LockErrorCode.ABORTED, "Operation cancelled by user signal");
        }
        if (acquisitionSignal.isCancelled()) {
            throw new LockException(LockErrorCode.ABORTED, "Acquisition cancelled by acquisition signal");
        }
    }

    private double nextDelay() {
        Duration elapsed = elapsed();
        double left = Nanos.of(policy.timeout().minus(elapsed)) / 1e6;
        double delay = Math.min(policy.delayMs(attempts, random), Math.max(0, left));
        if (delay <= 0) {
            throw timeout("Timeout reached before next retry (" + elapsed.toMillis() + "ms elapsed)");
        }
        return delay;
    }

    private void sleep(double millis) {
        CountDownLatch woken = new CountDownLatch(1);
        Runnable offUser = userSignal.onCancel(woken::countDown);
        Runnable offAcquisition = acquisitionSignal.onCancel(woken::countDown);
        try {
            woken.await((long) (millis * 1e6), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LockException(LockErrorCode.ABORTED, "Operation aborted by an interrupt", e);
        } finally {
            offUser.run();
            offAcquisition.run();
        }
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - startNanos);
    }

    private static LockException timeout(String message) {
        return new LockException(LockErrorCode.ACQUISITION_TIMEOUT, message);
    }
}
