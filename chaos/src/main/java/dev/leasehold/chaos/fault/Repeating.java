package dev.leasehold.chaos.fault;

import dev.leasehold.testkit.process.HarnessException;
import dev.leasehold.testkit.process.Polling;

/** Something small that is done again and again, in a thread of its own. */
final class Repeating {
    private static final long PATIENCE_MILLIS = 30_000;

    private final Thread thread;
    private volatile boolean isOver;

    Repeating(String name, long pauseMillis, Runnable work) {
        thread = new Thread(
                () -> {
                    while (!isOver) {
                        work.run();
                        Polling.sleep(pauseMillis);
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns when it has been done for the last time. */
    void stop() {
        isOver = true;
        try {
            thread.join(PATIENCE_MILLIS);
            if (thread.isAlive()) {
                throw new HarnessException("the thread " + thread.getName() + " does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
