package dev.leasehold.postgres.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one connection that LISTENs, with its thread, while somebody of this node waits.
 *
 * <p>It comes back by itself. Without it, behind a pooler or while the database is away, waiters poll.
 */
public final class Listener {
    private static final Logger log = LoggerFactory.getLogger(Listener.class);
    private static final int PATIENCE_MS = 1000;
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final long LINGER_NANOS = Duration.ofSeconds(30).toNanos();

    private final DataSource dataSource;
    private final String channel;
    private final Consumer<String> onPayload;
    private final Runnable onListening;
    private final CountDownLatch closing = new CountDownLatch(1);
    private @Nullable Thread thread;
    private long wantedUntilNanos;
    private volatile boolean listening;
    private volatile boolean closed;
    private boolean warned;

    public Listener(DataSource dataSource, String channel, Consumer<String> onPayload, Runnable onListening) {
        this.dataSource = dataSource;
        this.channel = channel;
        this.onPayload = onPayload;
        this.onListening = onListening;
    }

    /** Listens from now on, and for a while longer than the last time this is called. */
    public synchronized void want() {
        wantedUntilNanos = System.nanoTime() + LINGER_NANOS;
        if (thread == null && !closed) {
            thread = new Thread(this::loop, "leasehold-listener");
            thread.setDaemon(true);
            thread.start();
        }
    }

    public boolean isListening() {
        return listening;
    }

    private void loop() {
        while (isWanted()) {
            try (Connection connection = dataSource.getConnection()) {
                listen(connection);
            } catch (SQLException | RuntimeException | Error e) {
                warnOnce(e);
                pause();
            } finally {
                listening = false;
            }
        }
    }

    /** Ends the thread when nobody has wanted it for a while. */
    private synchronized boolean isWanted() {
        boolean wanted = !closed && System.nanoTime() - wantedUntilNanos < 0;
        if (!wanted) {
            thread = null;
        }
        return wanted;
    }

    private synchronized boolean isStillWanted() {
        return !closed && System.nanoTime() - wantedUntilNanos < 0;
    }

    private void listen(Connection connection) throws SQLException {
        connection.setAutoCommit(true);
        if (Pooler.isBefore(connection)) {
            throw new SQLException("a pooler does not deliver notifications: give listenOn a direct connection");
        }
        PGConnection postgres = connection.unwrap(PGConnection.class);
        try (Statement statement = connection.createStatement()) {
            statement.execute("listen \"" + channel + "\"");
            listening = true;
            warned = false;
            onListening.run();
            while (isStillWanted()) {
                for (PGNotification notification : notifications(postgres)) {
                    onPayload.accept(notification.getParameter());
                }
            }
            statement.execute("unlisten \"" + channel + "\"");
        }
    }

    private static PGNotification[] notifications(PGConnection postgres) throws SQLException {
        PGNotification @Nullable [] received = postgres.getNotifications(PATIENCE_MS);
        return received == null ? new PGNotification[0] : received;
    }

    private void warnOnce(Throwable e) {
        if (!warned && !closed) {
            warned = true;
            log.warn("event=listen_failed effect=\"waiters poll until it is back\"", e);
        }
    }

    private void pause() {
        try {
            closing.await(RETRY.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public synchronized void close() {
        closed = true;
        closing.countDown();
    }
}
