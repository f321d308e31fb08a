package dev.leasehold.server.http;

import dev.leasehold.server.ServerOptions.Limits;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open connections: not more than allowed, and none that dawdles.
 *
 * <p>Each has a deadline for what it does next: for the whole head of a request, for the body, for taking the answer. Single bytes
 * that trickle in do not buy it more. Only while a request is being worked on there is none. A beat of a second hangs up on those
 * that are late.
 */
final class Connections {
    private static final Logger log = LoggerFactory.getLogger(Connections.class);
    private static final long BEAT_MILLIS = 1000;
    private static final long NEVER = Long.MAX_VALUE;

    private final Limits limits;
    private final long startNanos = System.nanoTime();
    private final Map<HttpConnection, Deadline> open = new ConcurrentHashMap<>();

    Connections(Vertx vertx, Limits limits) {
        this.limits = limits;
        vertx.setPeriodic(BEAT_MILLIS, beat -> hangUpOnTheLate());
    }

    void opened(HttpConnection connection) {
        if (open.size() >= limits.connections()) {
            log.debug("event=too_many_connections limit={}", limits.connections());
            connection.close();
            return;
        }
        open.put(connection, new Deadline());
        connection.closeHandler(closed -> open.remove(connection));
        connection.exceptionHandler(e -> log.debug("event=connection_failed", e));
        within(connection, limits.requestTime());
    }

    int count() {
        return open.size();
    }

    /** What comes next must come within this time. */
    void within(HttpConnection connection, Duration time) {
        set(connection, System.nanoTime() - startNanos + time.toNanos());
    }

    /** What comes next is ours to do. */
    void withoutLimit(HttpConnection connection) {
        set(connection, NEVER);
    }

    private void set(HttpConnection connection, long nanos) {
        Deadline deadline = open.get(connection);
        if (deadline != null) {
            deadline.nanos = nanos;
        }
    }

    private void hangUpOnTheLate() {
        long now = System.nanoTime() - startNanos;
        open.forEach((connection, deadline) -> {
            if (deadline.nanos < now) {
                connection.close();
            }
        });
    }

    private static final class Deadline {
        private volatile long nanos;
    }
}
