package dev.leasehold.postgres.internal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of the engine, borrowed while there is work and for a few seconds more.
 *
 * <p>A fresh connection is set up once: a statement timeout, a short lock timeout, and the plans pinned to the
 * indexes. Behind a transaction pooler (noticed because the backend is not the one that answered the login) nothing of that
 * would stick, and named prepared statements would hit other people's; so there the settings travel with every message instead.
 *
 * <p>Used by one thread at a time.
 */
public final class Lane {
    private static final Logger log = LoggerFactory.getLogger(Lane.class);
    private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long KEEP_NANOS = Duration.ofSeconds(10).toNanos();
    private static final int VALIDATION_SECONDS = 2;

    private static final String SETTINGS = "set_config('lock_timeout', '100ms', %1$s),"
            + " set_config('statement_timeout', '%2$sms', %1$s),"
            + " set_config('plan_cache_mode', 'force_generic_plan', %1$s),"
            + " set_config('enable_seqscan', 'off', %1$s),"
            + " set_config('enable_bitmapscan', 'off', %1$s),"
            + " set_config('jit', 'off', %1$s)";
    private static final String RESET =
            "reset lock_timeout; reset statement_timeout; reset plan_cache_mode; reset enable_seqscan;"
                    + " reset enable_bitmapscan; reset jit";

    private final DataSource dataSource;
    private final Duration timeout;
    private final Executor closer;
    private final Map<List<Sql>, String> messages = new HashMap<>();
    private @Nullable Connection connection;
    private String preface = "";
    private boolean restoreAutoCommit;
    private int restoreNetworkTimeout;
    private volatile long lastUsedNanos;
    private volatile boolean connecting;

    Lane(DataSource dataSource, Duration timeout, Executor closer) {
        this.dataSource = dataSource;
        this.timeout = timeout;
        this.closer = closer;
    }

    /** Whether a statement can be sent without first connecting or validating. */
    boolean isReady() {
        return connection != null && System.nanoTime() - lastUsedNanos < FRESH_NANOS;
    }

    /** Another connection was lost, so this one is asked whether it still lives before it is used. */
    void doubt() {
        lastUsedNanos = Math.min(lastUsedNanos, System.nanoTime() - FRESH_NANOS);
    }

    /** Whether it is waiting for a connection. */
    boolean isConnecting() {
        return connecting;
    }

    /** Runs the groups as one message in one transaction and answers their calls; returns those to ask again. */
    List<Call<?, ?>> run(List<Group<?, ?>> groups) throws SQLException {
        Connection current = connection();
        try {
            return send(current, groups);
        } catch (SQLException | RuntimeException e) {
            rollback(current);
            throw e;
        }
    }

    private List<Call<?, ?>> send(Connection current, List<Group<?, ?>> groups) throws SQLException {
        List<Call<?, ?>> busy = new ArrayList<>();
        try (PreparedStatement message = current.prepareStatement(message(groups))) {
            int next = 1;
            for (Group<?, ?> group : groups) {
                next = group.bind(current, message, next);
            }
            List<ResultSet> rows = Rows.of(message);
            lastUsedNanos = System.nanoTime(); // before callers go on, so that it does not undo a doubt that they cause
            int from = preface.isEmpty() ? 0 : 1;
            for (Group<?, ?> group : groups) {
                int to = from + group.sql().rowSets();
                busy.addAll(group.answer(rows.subList(from, to)));
                from = to;
            }
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
        } catch (SQLException e) {
            discard();
        }
    }

    private Connection connection() throws SQLException {
        Connection current = connection;
        if (current != null && !isReady() && !current.isValid(VALIDATION_SECONDS)) {
            discard();
            current = null;
        }
        return current != null ? current : connect();
    }

    private Connection connect() throws SQLException {
        connecting = true;
        try {
            Connection fresh = dataSource.getConnection();
            connection = fresh;
            setUp(fresh);
            return fresh;
        } catch (SQLException | RuntimeException e) {
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
        if (Pooler.isBefore(fresh)) {
            fresh.unwrap(PGConnection.class).setPrepareThreshold(0);
            preface = "select " + settings("true", statementTimeout()) + ";\n";
        } else {
            preface = "";
            try (PreparedStatement settings =
                    fresh.prepareStatement("select " + settings("false", statementTimeout()))) {
                settings.execute();
            }
        }
    }

    /** What the statements need of their session: for the transaction only if {@code local} is "true". */
    public static String settings(String local, long statementTimeoutMs) {
        return SETTINGS.formatted(local, statementTimeoutMs);
    }

    /** A little before the socket's, so that the server says no while it can. */
    private long statementTimeout() {
        return Math.max(1, timeout.toMillis() * 9 / 10);
    }

    /** Throws the connection away: it is broken, or in an unknown state. */
    void discard() {
        Connection broken = connection;
        connection = null;
        if (broken != null) {
            try {
                broken.abort(closer);
                broken.close();
            } catch (SQLException e) {
                log.trace("event=close_failed", e);
            }
        }
    }

    /** Whether it has a connection that nobody has needed for a while. */
    boolean isUnused() {
        return connection != null && System.nanoTime() - lastUsedNanos > KEEP_NANOS;
    }

    /** Gives the connection back to where it came from, as it was. */
    void giveBack() {
        Connection idle = connection;
        connection = null;
        if (idle == null) {
            return;
        }
        try (idle) {
            if (preface.isEmpty()) {
                try (Statement reset = idle.createStatement()) {
                    reset.execute(RESET);
                }
            }
            idle.setNetworkTimeout(closer, restoreNetworkTimeout);
            if (restoreAutoCommit) {
                idle.setAutoCommit(false);
            }
        } catch (SQLException e) {
            log.debug("event=give_back_failed", e);
        }
    }
}
