package dev.leasehold.bench.queue;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.event.AbstractSchedulerListener;
import com.github.kagkarlsson.scheduler.serializer.Serializer;
import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import dev.leasehold.bench.Bench;
import dev.leasehold.bench.Versions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** db-scheduler: one-time tasks, fetched and locked in one statement. */
final class DbSchedulerQueuer implements Queuer {
    private static final int THREADS = 32;
    private static final double LOWER_LIMIT = 1;
    private static final double UPPER_LIMIT = 4;
    private static final Duration POLL = Duration.ofMillis(100);
    private static final String TABLE = """
            create table if not exists scheduled_tasks (
              task_name text not null,
              task_instance text not null,
              task_data bytea,
              execution_time timestamp with time zone not null,
              picked boolean not null,
              picked_by text,
              last_success timestamp with time zone,
              last_failure timestamp with time zone,
              consecutive_failures int,
              last_heartbeat timestamp with time zone,
              version bigint not null,
              priority smallint,
              primary key (task_name, task_instance)
            );
            create index if not exists execution_time_idx on scheduled_tasks (execution_time);
            create index if not exists last_heartbeat_idx on scheduled_tasks (last_heartbeat)
            """;

    private final OneTimeTask<byte[]> task;
    private final Scheduler scheduler;
    private volatile @Nullable Hands hands;
    private boolean started;

    private DbSchedulerQueuer(DataSource pool) {
        task = Tasks.oneTime("bench", byte[].class).execute((instance, context) -> took(instance.getData()));
        scheduler = Scheduler.create(pool, task)
                .threads(THREADS)
                .pollUsingLockAndFetch(LOWER_LIMIT, UPPER_LIMIT)
                .pollingInterval(POLL)
                .enableImmediateExecution()
                .serializer(new AsTheyAre())
                .addSchedulerListener(new Completions())
                .shutdownMaxWait(Duration.ofSeconds(5))
                .build();
    }

    static QueueSystem system() {
        return new QueueSystem(
                "db-scheduler",
                Versions.of("db-scheduler"),
                "lock-and-fetch (limits 1 and 4), " + THREADS + " threads, 8 connections, reWriteBatchedInserts,"
                        + " scheduleBatch, immediate execution, polls every 100 ms",
                DbSchedulerQueuer::open);
    }

    private static Queuer open(Place place) throws SQLException {
        DataSource pool = place.pool(Bench.CONNECTIONS, "&reWriteBatchedInserts=true");
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(TABLE);
        }
        return new DbSchedulerQueuer(pool);
    }

    @Override
    public void produce(List<byte[]> payloads) {
        schedule(payloads, Instant.now());
    }

    @Override
    public void produceLater(List<byte[]> payloads, Duration delay) {
        schedule(payloads, Instant.now().plus(delay));
    }

    private void schedule(List<byte[]> payloads, Instant when) {
        if (payloads.size() == 1) {
            scheduler.schedule(instance(payloads.get(0)), when);
            return;
        }
        List<TaskInstance<?>> instances = new ArrayList<>(payloads.size());
        payloads.forEach(payload -> instances.add(instance(payload)));
        scheduler.scheduleBatch(instances, when);
    }

    private TaskInstance<byte[]> instance(byte[] payload) {
        return task.instance(Long.toString(Items.number(payload)), payload);
    }

    private void took(byte[] payload) {
        Hands theirs = hands;
        if (theirs != null) {
            theirs.took(payload);
        }
    }

    @Override
    public void work(Hands hands, int batch) {
        this.hands = hands;
        if (started) {
            scheduler.resume();
        } else {
            scheduler.start();
        }
        started = true;
    }

    @Override
    public void stop() {
        if (started) {
            scheduler.pause();
        }
    }

    @Override
    public void close() {
        scheduler.stop();
    }

    private final class Completions extends AbstractSchedulerListener {
        @Override
        public void onExecutionComplete(ExecutionComplete completed) {
            Hands theirs = hands;
            if (theirs != null) {
                completed
                        .getCause()
                        .ifPresentOrElse(
                                theirs::fail,
                                () -> theirs.done(List.of((byte[])
                                        completed.getExecution().taskInstance.getData())));
            }
        }
    }

    /** Payloads are bytes already. */
    private static final class AsTheyAre implements Serializer {
        @Override
        public byte[] serialize(Object data) {
            return (byte[]) data;
        }

        @Override
        public <T> T deserialize(Class<T> type, byte[] data) {
            return type.cast(data);
        }
    }
}
