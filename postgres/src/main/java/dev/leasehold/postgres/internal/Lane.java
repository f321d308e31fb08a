package dev.leasehold.postgres.internal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of the engine, borrowed while there is work and for a few seconds more.
 *
 * <p>A fresh connection is set up once, with its {@link SessionSettings}. Behind a transaction pooler (detected because the backend
 * is not the one that answered the login) session settings would be lost, and the names of prepared statements would clash with those of
 * other clients. So there every message contains the settings and its isolation level.
 *
 * <p>Used by one thread at a time.
 */
public final class Lane {
    private static final Logger log = LoggerFactory.getLogger(Lane.class);
    private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long KEEP_NANOS = Duration.ofSeconds(10).toNanos();
    private static final int VALIDATION_SECONDS = 2;

    private final DataSource dataSource;
    private final Duration timeout;
    private final Executor closer;
    private final Reachability reachability;
    private final Map<List<Sql>, String> messages = new RecentMessages();
    private @Nullable Connection connection;
    private @Nullable SessionSettings settings;
    private String preface = "";
    private boolean restoreAutoCommit;
    private int restoreNetworkTimeout;
    private int restorePrepareThreshold;
    private volatile long lastUsedNanos;
    private volatile boolean connecting;
    private volatile @Nullable Message underWay;

    /** A message that the server has not answered. */
    private record Message(List<Group<?, ?>> groups, Statement statement) {}

    /** There was no connection, so that nothing was sent. */
    static final class NotSentException extends Exception {
        private static final long serialVersionUID = 1;

        private final SQLException reason;

        NotSentException(SQLException reason) {
            super(reason);
            this.reason = reason;
        }

        SQLException reason() {
            return reason;
        }
    }

    Lane(DataSource dataSource, Duration timeout, Executor closer, Reachability reachability) {
        this.dataSource = dataSource;
        this.timeout = timeout;
        this.closer = closer;
        this.reachability = reachability;
    }

    /** Whether a statement can be sent without first connecting or validating. */
    boolean isReady() {
        return connection != null && System.nanoTime() - lastUsedNanos < FRESH_NANOS;
    }

    /** Another connection was lost, so this one is validated before it is used. */
    void doubt() {
        lastUsedNanos = Math.min(lastUsedNanos, System.nanoTime() - FRESH_NANOS);
    }

    /** Whether it is waiting for a connection. */
    boolean isConnecting() {
        return connecting;
    }

    /** Connects, or validates the connection, so that it is ready. */
    void prepare() throws SQLException {
        connection();
        lastUsedNanos = System.nanoTime();
    }

    boolean isConnected() {
        return connection != null;
    }

    /** Runs the groups as one message in one transaction and completes their calls; returns those to repeat. */
    List<PendingCall<?, ?>> run(List<Group<?, ?>> groups) throws SQLException, NotSentException {
        Connection current = connectionToSend();
        try {
            return send(current, groups);
        } catch (SQLException | RuntimeException e) {
            rollback(current);
            throw e;
        } catch (Error e) {
            discard(); // in whatever state it is
            throw e;
        }
    }

    private Connection connectionToSend() throws NotSentException {
        try {
            return connection();
        } catch (SQLException e) {
            throw new NotSentException(e);
        }
    }

    /** Has the server end the message of these groups, if it is still under way; from any thread. */
    void cancel(List<Group<?, ?>> groups) {
        Message message = underWay;
        if (message != null && message.groups == groups) {
            try {
                message.statement.cancel();
            } catch (SQLException e) {
                log.debug("event=cancel_failed", e);
            }
        }
    }

    private List<PendingCall<?, ?>> send(Connection current, List<Group<?, ?>> groups) throws SQLException {
        List<PendingCall<?, ?>> busy = new ArrayList<>();
        try (PreparedStatement message = current.prepareStatement(message(groups))) {
            int next = 1;
            for (Group<?, ?> group : groups) {
                next = group.bind(current, message, next);
            }
            underWay = new Message(groups, message);
            List<ResultSet> rows = Rows.of(message);
            lastUsedNanos = System.nanoTime(); // before callers go on, so that it does not undo their doubt()
            int from = preface.isEmpty() ? 0 : 1;
            for (Group<?, ?> group : groups) {
                int to = from + group.sql().rowSets();
                busy.addAll(group.answer(rows.subList(from, to)));
                from = to;
            }
        } finally {
            underWay = null;
        }
        return busy;
    }

    private String message(List<Group<?, ?>> groups) {
        List<Sql> parts = new ArrayList<>(groups.size());
        groups.forEach(group -> parts.add(group.sql()));
        return messages.computeIfAbsent(parts, p -> Sql.message(p, preface));
    }

    /** Ends the transaction that a failed message has left open; if that fails too, the connection is of no more use. */
    private void rollback(Connection current) {
        try (Statement statement = current.createStatement()) {
            statement.execute("rollback");
            lastUsedNanos = System.nanoTime();
        } catch (SQLException | RuntimeException | Error e) {
            discard();
        }
    }

    private Connection connection() throws SQLException {
        Connection current = connection;
        if (current != null && !isReady() && !isValid(current)) {
            discard();
            current = null;
        }
        return current != null ? current : connect();
    }

    /** Asks the server. If it has ended the connection, that fails at once; if it is slow to answer, it may only be busy. */
    private boolean isValid(Connection current) throws SQLException {
        long start = System.nanoTime();
        boolean isValid = current.isValid(VALIDATION_SECONDS);
        if (!isValid && System.nanoTime() - start < TimeUnit.SECONDS.toNanos(VALIDATION_SECONDS)) {
            reachability.connectionLost();
        }
        return isValid;
    }

    private Connection connect() throws SQLException {
        connecting = true;
        try {
            Connection fresh = dataSource.getConnection();
            connection = fresh;
            setUp(fresh);
            return fresh;
        } catch (SQLException | RuntimeException | Error e) {
            discard();
            throw e;
        } finally {
            connecting = false;
        }
    }

    private void setUp(Connection fresh) throws SQLException {
        restoreAutoCommit = !fresh.getAutoCommit();
        if (restoreAutoCommit) {
            fresh.setAutoCommit(true);
        }
        restoreNetworkTimeout = fresh.getNetworkTimeout();
        fresh.setNetworkTimeout(closer, (int) timeout.toMillis());
        messages.clear();
        PGConnection postgres = fresh.unwrap(PGConnection.class);
        restorePrepareThreshold = postgres.getPrepareThreshold();
        settings = null;
        if (Pooler.isBefore(fresh)) {
            postgres.setPrepareThreshold(0);
            preface = "select " + settings("true", statementTimeout()) + ";\n";
        } else {
            preface = "";
            settings = SessionSettings.replace(fresh, statementTimeout());
        }
    }

    /** The session settings of the statements: for the transaction only if {@code local} is "true". */
    public static String settings(String local, long statementTimeoutMs) {
        return SessionSettings.text(local, statementTimeoutMs);
    }

    /** How long a statement waits for a lock, unless it says otherwise. */
    public static String lockTimeout() {
        return SessionSettings.LOCK_TIMEOUT;
    }

    /** A little before the socket's timeout, so that the server reports the failure. */
    private long statementTimeout() {
        return Math.max(1, timeout.toMillis() * 9 / 10);
    }

    /** Throws the connection away: it is broken, or in an unknown state. */
    void discard() {
        Connection broken = connection;
        connection = null;
        if (broken != null) {
            discard(broken);
        }
    }

    private void discard(Connection broken) {
        try {
            broken.abort(closer);
            broken.close();
        } catch (SQLException | RuntimeException | Error e) {
            log.trace("event=close_failed", e);
        }
    }

    /** Whether it has a connection that was not needed for a while. */
    boolean isUnused() {
        return isUnusedFor(KEEP_NANOS);
    }

    boolean isUnusedFor(long nanos) {
        return connection != null && System.nanoTime() - lastUsedNanos > nanos;
    }

    /** Gives the connection back to where it came from, as it was; one that cannot be restored is thrown away. */
    void giveBack() {
        Connection idle = connection;
        connection = null;
        if (idle == null) {
            return;
        }
        try {
            restore(idle);
            idle.close();
        } catch (SQLException | RuntimeException | Error e) {
            log.debug("event=give_back_failed", e);
            discard(idle);
        }
    }

    private void restore(Connection idle) throws SQLException {
        if (settings != null) {
            settings.restore(idle);
        }
        idle.unwrap(PGConnection.class).setPrepareThreshold(restorePrepareThreshold);
        idle.setNetworkTimeout(closer, restoreNetworkTimeout);
        if (restoreAutoCommit) {
            idle.setAutoCommit(false);
        }
    }

    /** Those that were sent last. Queues come and go, and each partition has messages of its own. */
    private static final class RecentMessages extends LinkedHashMap<List<Sql>, String> {
        private static final long serialVersionUID = 1;
        private static final int MOST = 500;

        RecentMessages() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<List<Sql>, String> eldest) {
            return size() > MOST;
        }
    }
}
