package dev.leasehold.bench.lock;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.bench.Bench;
import dev.leasehold.bench.Contender;
import dev.leasehold.bench.Database;
import dev.leasehold.bench.Recorder;
import dev.leasehold.bench.Trial;
import dev.leasehold.bench.Variant;
import dev.leasehold.bench.Versions;
import dev.leasehold.bench.Workers;
import dev.leasehold.postgres.lock.LockSchema;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Many locks with one statement, from as many threads as there are connections: the ceiling of group commit. */
final class RawBatches implements Trial {
    private static final int BATCH = 64;
    private static final int CONNECTIONS = 2;

    private final Database database;
    private final String schema;
    private final HikariDataSource pool;
    private final List<Connection> connections = new ArrayList<>();

    private RawBatches(Database database, String schema) {
        this.database = database;
        this.schema = schema;
        this.pool = database.pool(schema, CONNECTIONS);
    }

    static Contender contender() {
        return Contender.of(
                "raw-batched",
                Versions.of("pgjdbc"),
                "hand-written, fenced: " + BATCH + " keys a statement, " + CONNECTIONS + " threads on " + CONNECTIONS
                        + " connections",
                RawBatches::open);
    }

    private static Trial open(Bench bench, Variant variant) throws SQLException {
        RawBatches batches = new RawBatches(bench.database(), bench.database().newSchema());
        LockSchema.create(batches.pool);
        for (int i = 0; i < CONNECTIONS; i++) {
            batches.connect();
        }
        return batches;
    }

    private void connect() throws SQLException {
        Connection connection = pool.getConnection();
        connections.add(connection);
        try (Statement statement = connection.createStatement()) {
            for (String setting : RawSql.SETTINGS) {
                statement.execute(setting);
            }
        }
    }

    @Override
    public void run(Recorder recorder, Duration duration) throws InterruptedException {
        List<Workers.Step> steps = new ArrayList<>();
        for (int thread = 0; thread < CONNECTIONS; thread++) {
            steps.add(step(connections.get(thread), thread));
        }
        Workers.run(recorder, duration, steps);
    }

    /** The same number of keys as 64 threads have, shared out among the connections. */
    private static Workers.Step step(Connection connection, int thread) {
        long[] next = {(long) thread << 40};
        return () -> {
            String[] keys = new String[BATCH];
            String[] ids = new String[BATCH];
            long begin = next[0];
            next[0] += BATCH;
            for (int i = 0; i < BATCH; i++) {
                keys[i] = "worker-" + thread + "-" + i + ":key-" + begin / BATCH % Cycles.KEYS_PER_THREAD;
                ids[i] = "%022d".formatted(begin + i);
            }
            cycle(connection, keys, ids);
            return BATCH;
        };
    }

    private static void cycle(Connection connection, String[] keys, String[] ids) throws SQLException {
        Array keyArray = connection.createArrayOf("text", keys);
        Array idArray = connection.createArrayOf("text", ids);
        int granted = 0;
        try (PreparedStatement acquire = connection.prepareStatement(RawSql.ACQUIRE)) {
            acquire.setArray(1, keyArray);
            acquire.setArray(2, idArray);
            try (ResultSet rows = acquire.executeQuery()) {
                while (rows.next()) {
                    granted += rows.getString("fence").isEmpty() ? 0 : 1;
                }
            }
        }
        try (PreparedStatement release = connection.prepareStatement(RawSql.RELEASE)) {
            release.setArray(1, idArray);
            if (granted != BATCH || release.executeUpdate() != BATCH) {
                throw new IllegalStateException("of " + BATCH + " free locks " + granted + " were granted");
            }
        }
    }

    @Override
    public void close() {
        pool.close();
        database.dropSchema(schema);
    }
}
