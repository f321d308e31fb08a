package dev.leasehold.bench.queue;

import dev.leasehold.bench.Bench;
import dev.leasehold.bench.Versions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The ceiling: the best SQL that we could write by hand, through plain pgjdbc, with no library and nothing that is not needed. */
final class RawQueuer implements Queuer {
    private static final int WORKERS = 4;
    private static final String TABLE = """
            create table if not exists items (
              id bigint generated always as identity primary key,
              leased_until timestamptz,
              due timestamptz,
              attempts integer not null default 0,
              payload bytea not null
            ) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
            create index if not exists items_ready on items (id) where leased_until is null and due is null
            """;
    private static final String PRODUCE = "insert into items (payload) select * from unnest(?::bytea[])";
    private static final String PRODUCE_LATER =
            "insert into items (payload, due) select p, now() + interval '%d ms' from unnest(?::bytea[]) as p";
    private static final String LEASE = """
            update items
            set leased_until = now() + interval '1 minute', attempts = attempts + 1
            where ctid = any (array(
              select ctid
              from items
              where leased_until is null and due is null
              order by id
              limit ?
              for update skip locked))
            returning id, payload
            """;
    private static final String COMPLETE = "delete from items where id = any (?)";

    /** The plans are pinned, as ours are: a young table has no statistics that a planner could go by. */
    private static final String PARAMETERS = "&prepareThreshold=1&options="
            + "-c%20plan_cache_mode=force_generic_plan%20-c%20enable_seqscan=off%20-c%20enable_bitmapscan=off%20-c%20jit=off";

    private final DataSource pool;
    private @Nullable Loops loops;

    private RawQueuer(DataSource pool) {
        this.pool = pool;
    }

    static QueueSystem system() {
        return new QueueSystem(
                "raw",
                Versions.of("pgjdbc"),
                "hand-written SQL, one table, two indexes, 8 connections; " + WORKERS
                        + " threads lease and complete; no order of acknowledgement, no deadlines, no checks",
                RawQueuer::open);
    }

    private static Queuer open(Place place) throws SQLException {
        DataSource pool = place.pool(Bench.CONNECTIONS, PARAMETERS);
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(TABLE);
        }
        return new RawQueuer(pool);
    }

    @Override
    public void produce(List<byte[]> payloads) throws SQLException {
        insert(PRODUCE, payloads);
    }

    @Override
    public void produceLater(List<byte[]> payloads, Duration delay) throws SQLException {
        insert(PRODUCE_LATER.formatted(delay.toMillis()), payloads);
    }

    private void insert(String sql, List<byte[]> payloads) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setArray(1, connection.createArrayOf("bytea", payloads.toArray(byte[][]::new)));
            statement.executeUpdate();
        }
    }

    @Override
    public void work(Hands hands, int batch) {
        Loops started = new Loops();
        for (int i = 0; i < WORKERS; i++) {
            started.start("bench-raw-" + i, hands, () -> leaseAndComplete(hands, batch));
        }
        loops = started;
    }

    private void leaseAndComplete(Hands hands, int batch) throws Exception {
        List<byte[]> payloads = new ArrayList<>(batch);
        try (Connection connection = pool.getConnection()) {
            List<Long> ids = lease(connection, batch, payloads);
            if (!ids.isEmpty()) {
                payloads.forEach(hands::took);
                complete(connection, ids);
            }
        }
        if (payloads.isEmpty()) {
            Thread.sleep(1);
        } else {
            hands.done(payloads);
        }
    }

    private static List<Long> lease(Connection connection, int batch, List<byte[]> payloads) throws SQLException {
        List<Long> ids = new ArrayList<>(batch);
        try (PreparedStatement statement = connection.prepareStatement(LEASE)) {
            statement.setInt(1, batch);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    ids.add(rows.getLong(1));
                    payloads.add(rows.getBytes(2));
                }
            }
        }
        return ids;
    }

    private static void complete(Connection connection, List<Long> ids) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(COMPLETE)) {
            statement.setArray(1, connection.createArrayOf("bigint", ids.toArray(Long[]::new)));
            statement.executeUpdate();
        }
    }

    @Override
    public void stop() {
        if (loops != null) {
            loops.stop();
            loops = null;
        }
    }

    @Override
    public void close() {}
}
