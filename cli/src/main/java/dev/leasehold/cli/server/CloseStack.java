package dev.leasehold.cli.server;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What was opened, to be closed in the opposite order, once. What is opened while it closes is closed at once. */
final class CloseStack implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CloseStack.class);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private boolean isClosed;

    synchronized <T extends AutoCloseable> T add(T resource) {
        open.push(resource);
        if (isClosed) {
            close();
        }
        return resource;
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                LOG.warn("could not close: {}", e.getMessage());
            }
        }
    }
}
