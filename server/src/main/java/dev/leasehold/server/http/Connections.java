package dev.leasehold.server.http;

import dev.leasehold.server.ServerOptions.Limits;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpServerConnection;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open connections: not more than allowed, and each with a deadline.
 *
 * <p>They are counted from when they are accepted, before TLS. Each has a deadline for what it does next: for the whole head of a
 * request, for the body, for taking the answer. Single bytes that trickle in do not extend it. Only while a request is being
 * worked on there is none. A thread of its own, which no load on the event loops holds up, closes those that are late, once a
 * second.
 */
final class Connections implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Connections.class);
    private static final long BEAT_MILLIS = 1000;
    private static final long NEVER = Long.MAX_VALUE;

    private final Limits limits;
    private final int limit;
    private final long startNanos = System.nanoTime();
    private final AtomicInteger accepted = new AtomicInteger();
    private final Map<HttpConnection, Deadline> open = new ConcurrentHashMap<>();
    private final ScheduledExecutorService beat = Executors.newSingleThreadScheduledExecutor(Connections::thread);

    Connections(Limits limits) {
        this.limits = limits;
        this.limit = ConnectionLimit.of(limits);
        var unused = beat.scheduleWithFixedDelay(this::closeLate, BEAT_MILLIS, BEAT_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "leasehold-http-deadlines");
        thread.setDaemon(true);
        return thread;
    }

    /** How many there may be. */
    int limit() {
        return limit;
    }

    /** Counts a connection that was accepted; false if there are too many. */
    boolean accept() {
        if (accepted.incrementAndGet() <= limit) {
            return true;
        }
        accepted.decrementAndGet();
        log.debug("event=too_many_connections limit={}", limit);
        return false;
    }

    /** A connection that was counted is closed. */
    void closed() {
        accepted.decrementAndGet();
    }

    /** A connection is ready for requests. */
    void opened(HttpConnection connection) {
        if (connection instanceof HttpServerConnection known) {
            ChannelHandlerContext context = known.channelHandlerContext();
            context.pipeline().addBefore(context.name(), "pipeline-limit", new PipelineLimit());
        }
        open.put(connection, new Deadline(nanosIn(limits.requestTime())));
        connection.closeHandler(closed -> open.remove(connection));
        connection.exceptionHandler(e -> log.debug("event=connection_failed", e));
    }

    int count() {
        return accepted.get();
    }

    /** Sets the deadline for what the client does next. */
    void within(HttpConnection connection, Duration time) {
        set(connection, nanosIn(time));
    }

    private long nanosIn(Duration time) {
        return System.nanoTime() - startNanos + time.toNanos();
    }

    /** The server works on a request: no deadline. */
    void withoutLimit(HttpConnection connection) {
        set(connection, NEVER);
    }

    private void set(HttpConnection connection, long nanos) {
        Deadline deadline = open.get(connection);
        if (deadline != null) {
            deadline.nanos = nanos;
        }
    }

    /** Closes those whose deadline has passed. */
    void closeLate() {
        long now = System.nanoTime() - startNanos;
        try {
            open.forEach((connection, deadline) -> {
                if (deadline.nanos < now) {
                    abort(connection);
                }
            });
        } catch (RuntimeException e) {
            log.warn("event=deadlines_failed", e); // the next beat tries again
        }
    }

    /**
     * Closes a connection whose peer may not read. {@link HttpConnection#close} would first wait until what was written has been
     * taken, for ever and with all of it in memory.
     */
    static void abort(HttpConnection connection) {
        if (connection instanceof HttpServerConnection known) {
            Channel channel = known.channelHandlerContext().channel();
            channel.eventLoop().execute(() -> channel.unsafe().close(channel.newPromise()));
        } else {
            connection.close();
        }
    }

    @Override
    public void close() {
        beat.shutdownNow();
    }

    private static final class Deadline {
        private volatile long nanos;

        private Deadline(long nanos) {
            this.nanos = nanos;
        }
    }
}
