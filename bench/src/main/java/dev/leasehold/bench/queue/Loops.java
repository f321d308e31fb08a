package dev.leasehold.bench.queue;

import java.util.ArrayList;
import java.util.List;

/** Threads that each repeat a step until they are told to stop. */
final class Loops {
    private static final long STOP_MILLIS = 30_000;

    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean running = true;

    /** What a thread repeats. */
    @FunctionalInterface
    interface Step {
        void run() throws Exception;
    }

    void start(String name, Queuer.Hands hands, Step step) {
        Thread thread = new Thread(() -> repeat(hands, step), name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void repeat(Queuer.Hands hands, Step step) {
        try {
            while (running) {
                step.run();
            }
        } catch (Exception | Error e) {
            if (running) {
                hands.fail(e);
            }
        }
    }

    /** Does not wait for a lease that waits for items: there are none when this is called. */
    void stop() {
        running = false;
        threads.forEach(Thread::interrupt);
        try {
            for (Thread thread : threads) {
                thread.join(STOP_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
