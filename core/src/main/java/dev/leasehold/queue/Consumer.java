package dev.leasehold.queue;

import java.time.Duration;

/** A running consumer. */
public interface Consumer extends AutoCloseable {
    /**
     * Stops: leases nothing more, gives back what was not begun, lets the handlers that run finish for as long as the options
     * say, interrupts those that have not by then, and settles what they did.
     */
    @Override
    void close();

    /** Whether it has stopped. */
    boolean isClosed();

    /** Waits until it has stopped, at most so long; false if it has not. */
    boolean awaitClosed(Duration timeout) throws InterruptedException;
}
