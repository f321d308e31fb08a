package dev.leasehold.bench.queue;

import dev.leasehold.bench.Bench;
import dev.leasehold.bench.Recorder;
import dev.leasehold.bench.Trial;
import dev.leasehold.bench.Workers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Items are produced and worked at the same time, as fast as it goes; producers hold back while much is left. */
final class Steady implements Trial {
    private static final int BACKLOG = 10_000;
    private static final int LOADED_TOGETHER = 1000;
    private static final int WINDOW_SECONDS = 10;
    private static final double MEGA = 1e6;
    private static final Duration LATER = Duration.ofHours(1);
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Field field;
    private final Load load;
    private final Ledger ledger;
    private final int backlog;
    private @Nullable Connection snapshot;
    private boolean working;

    Steady(Field field, Load load) {
        this.field = field;
        this.load = load;
        this.ledger = new Ledger(load.payload());
        this.backlog = backlog(field.bench(), load);
    }

    /** How many items may be left before producers hold back. */
    static int backlog(Bench bench, Load load) {
        return bench.isShort() ? load.batch() : BACKLOG;
    }

    @Override
    public void prepare(Duration duration) throws Exception {
        if (working) {
            return;
        }
        working = true;
        loadLater();
        if (load.snapshot()) {
            snapshot = holdSnapshot();
        }
        field.work(ledger, load.batch());
    }

    private void loadLater() throws Exception {
        int wanted = load.later() == 0 ? 0 : field.bench().scaled(load.later());
        Items scheduled = new Items(load.payload());
        for (int next = 0; next < wanted; next += LOADED_TOGETHER) {
            List<byte[]> some = new ArrayList<>();
            for (int i = 0; i < LOADED_TOGETHER; i++) {
                some.add(scheduled.item(-1L - next - i));
            }
            field.node(0).produceLater(some, LATER);
        }
        field.place().vacuum();
    }

    private Connection holdSnapshot() throws SQLException {
        Connection connection = field.place().pool(1, "").getConnection();
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (Statement statement = connection.createStatement()) {
            statement.execute("select count(*) from pg_class");
        }
        return connection;
    }

    @Override
    public void run(Recorder recorder, Duration duration) throws Exception {
        ledger.begin(recorder);
        List<Workers.Step> steps = new ArrayList<>();
        for (int i = 0; i < load.producers(); i++) {
            steps.add(producer(field.node(i)));
        }
        Workers.run(new Recorder(), duration, steps);
        measureSize(recorder);
        ledger.settle(PATIENCE);
        measureFlatness(recorder, (int) duration.toSeconds());
    }

    private Workers.Step producer(Queuer node) {
        return () -> {
            if (ledger.open() > backlog) {
                Thread.sleep(1);
            } else {
                node.produce(ledger.items(load.batch()));
            }
            return 0;
        };
    }

    private void measureSize(Recorder recorder) throws Exception {
        recorder.extra("items left at the end", (double) ledger.open());
        recorder.extra("tables MB", field.place().bytes(false) / MEGA);
        recorder.extra("indexes MB", field.place().bytes(true) / MEGA);
    }

    private static void measureFlatness(Recorder recorder, int seconds) {
        int window = Math.min(WINDOW_SECONDS, seconds / 2);
        if (window > 0) {
            double first = recorder.rateBetween(0, window);
            double last = recorder.rateBetween(seconds - window, seconds);
            recorder.extra("rate of the first " + window + " s", first);
            recorder.extra("rate of the last " + window + " s", last);
            recorder.extra("last / first rate", last / first);
        }
    }

    @Override
    public void close() {
        try (field) {
            if (snapshot != null) {
                snapshot.close();
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the held snapshot could not be let go", e);
        }
    }
}
