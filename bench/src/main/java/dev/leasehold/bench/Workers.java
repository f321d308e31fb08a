package dev.leasehold.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Threads that each repeat one step until the time is over. */
public final class Workers {
    private static final Duration GRACE = Duration.ofSeconds(60);

    private final long nanos;
    private final CountDownLatch begin = new CountDownLatch(1);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    private Workers(Duration duration) {
        this.nanos = duration.toNanos();
    }

    /** What a thread repeats; returns how many operations it has carried out. */
    @FunctionalInterface
    public interface Step {
        long run() throws Exception;
    }

    /**
     * Runs one thread for each step and returns when all have ended.
     *
     * @throws IllegalStateException if a step failed, or does not end long after its time
     */
    public static void run(Recorder recorder, Duration duration, List<? extends Step> steps)
            throws InterruptedException {
        Workers workers = new Workers(duration);
        List<Thread> threads = new ArrayList<>();
        for (Step step : steps) {
            Tally tally = recorder.tally();
            Thread thread = new Thread(() -> workers.repeat(step, tally), "bench-worker-" + threads.size());
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        workers.begin.countDown();
        workers.join(threads, duration.plus(GRACE));
    }

    private void repeat(Step step, Tally tally) {
        try {
            begin.await();
            long end = System.nanoTime() + nanos;
            long now = System.nanoTime();
            while (now - end < 0 && failure.get() == null) {
                long done = step.run();
                long then = System.nanoTime();
                tally.add(then - now, done);
                now = then;
            }
        } catch (Exception | Error e) {
            failure.compareAndSet(null, e);
        }
    }

    private void join(List<Thread> threads, Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        for (Thread thread : threads) {
            thread.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
        }
        threads.stream().filter(Thread::isAlive).findAny().ifPresent(late -> {
            threads.forEach(Thread::interrupt);
            failure.compareAndSet(null, new IllegalStateException(late.getName() + " did not end in time"));
        });
        Throwable reason = failure.get();
        if (reason != null) {
            throw new IllegalStateException("a worker failed: " + reason, reason);
        }
    }
}
