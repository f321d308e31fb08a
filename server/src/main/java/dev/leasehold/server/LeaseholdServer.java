package dev.leasehold.server;

import dev.leasehold.lock.Locks;
import dev.leasehold.queue.Queues;

/** The HTTP server over locks and queues that somebody else opened. */
@SuppressWarnings("DoNotCallSuggester")
public final class LeaseholdServer implements AutoCloseable {
    private LeaseholdServer() {}

    /**
     * Starts it; returns when it answers.
     *
     * @param locks the locks behind both lock doors; closed with the server
     * @param queues the queues; closed with the server
     */
    public static LeaseholdServer start(ServerOptions options, Locks<?> locks, Queues queues) {
        throw new UnsupportedOperationException(options + " " + locks + " " + queues);
    }

    /** The port it listens on. */
    public int port() {
        throw new UnsupportedOperationException();
    }

    /** Stops accepting, answers who waits, finishes what is under way within ten seconds, and closes locks and queues. */
    @Override
    public void close() {}
}
