package dev.leasehold.postgres.lock;

import dev.leasehold.spi.Futures;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies other nodes that keys became free: at once, and while a notification is in flight the next ones are batched.
 *
 * <p>It is sent after the commit of the release, in a message of its own that is not durable: a NOTIFY makes the commits of a server wait
 * for each other, and fails them when the notification queue is full. A lost one costs the waiter time, until it polls; it is not
 * retried.
 */
final class ReleaseNotices implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ReleaseNotices.class);

    /** How long a node that closes waits for its last notification, so that a process can release and end. */
    private static final Duration LAST = Duration.ofSeconds(1);

    private final Function<List<String>, CompletableFuture<?>> sender;
    private final Consumer<List<String>> onFailed;
    private final Set<String> pending = new LinkedHashSet<>();
    private @Nullable CompletableFuture<Boolean> underWay;

    /**
     * @param sender sends notifications without waiting
     * @param onFailed is called with those that were not sent
     */
    ReleaseNotices(Function<List<String>, CompletableFuture<?>> sender, Consumer<List<String>> onFailed) {
        this.sender = sender;
        this.onFailed = onFailed;
    }

    /** Each is the payload of a key, and the node to notify. */
    void send(List<String> notices) {
        synchronized (this) {
            pending.addAll(notices);
            if (pending.isEmpty() || underWay != null) {
                return;
            }
            underWay = new CompletableFuture<>();
        }
        sendPending();
    }

    private void sendPending() {
        List<String> now;
        CompletableFuture<Boolean> over = null;
        synchronized (this) {
            now = List.copyOf(pending);
            pending.clear();
            if (now.isEmpty()) {
                over = underWay;
                underWay = null;
            }
        }
        if (over != null) {
            over.complete(true);
        } else {
            Futures.whenDone(sender.apply(now), (told, failure) -> {
                if (failure != null) {
                    log.debug("event=notice_failed", failure);
                    onFailed.accept(now);
                }
                sendPending();
            });
        }
    }

    /** Returns when the last has been sent, or did not get through in time. */
    @Override
    public void close() {
        CompletableFuture<Boolean> last;
        synchronized (this) {
            last = underWay;
        }
        try {
            if (last != null) {
                last.get(LAST.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.debug("event=notice_failed", e);
        }
    }
}
