package dev.leasehold.bench.queue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.leasehold.bench.Bench;
import dev.leasehold.bench.Versions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jobrunr.utils.mapper.JsonMapper;
import org.jobrunr.utils.mapper.jackson.JacksonJsonMapper;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** JobRunr: job requests in its tables, fetched and completed by a background job server. */
final class JobRunrQueuer implements Queuer {
    private static final int WORKERS = 32;
    private static final Duration POLL = Duration.ofSeconds(5);

    private final StorageProvider storage;
    private final JsonMapper mapper = new JacksonJsonMapper();
    private final JobRequestScheduler scheduler;
    private @Nullable BackgroundJobServer server;

    private JobRunrQueuer(DataSource pool) {
        quieten();
        storage = new PostgresStorageProvider(pool);
        storage.setJobMapper(new JobMapper(mapper));
        scheduler = new JobRequestScheduler(storage);
    }

    /** It warns of every filter that took long, and so slows itself down on a busy machine. */
    private static void quieten() {
        ((Logger) LoggerFactory.getLogger("org.jobrunr")).setLevel(Level.ERROR);
    }

    static QueueSystem system() {
        return new QueueSystem(
                "jobrunr",
                Versions.of("jobrunr"),
                WORKERS
                        + " workers, 8 connections, reWriteBatchedInserts, job requests enqueued as a stream, polls every 5 s"
                        + " (its shortest); counted when the handler returns",
                place -> new JobRunrQueuer(place.pool(Bench.CONNECTIONS, "&reWriteBatchedInserts=true")));
    }

    @Override
    public void produce(List<byte[]> payloads) {
        if (payloads.size() == 1) {
            scheduler.enqueue(request(payloads.get(0)));
        } else {
            scheduler.enqueue(payloads.stream().map(JobRunrQueuer::request));
        }
    }

    @Override
    public void produceLater(List<byte[]> payloads, Duration delay) {
        Instant later = Instant.now().plus(delay);
        payloads.forEach(payload -> scheduler.schedule(later, request(payload)));
    }

    private static Work request(byte[] payload) {
        return new Work(new String(payload, StandardCharsets.US_ASCII));
    }

    @Override
    public void work(Hands hands, int batch) {
        BackgroundJobServerConfiguration configuration =
                BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                        .andPollInterval(POLL)
                        .andWorkerCount(WORKERS);
        BackgroundJobServer fresh = new BackgroundJobServer(storage, mapper, new Activator(hands), configuration);
        fresh.start();
        server = fresh;
    }

    @Override
    public void stop() {
        if (server != null) {
            server.stop();
            server = null;
        }
    }

    @Override
    public void close() {
        storage.close();
    }

    /** A job: its payload as text. */
    public record Work(@JsonProperty("payload") String payload) implements JobRequest {
        @JsonCreator
        public Work {}

        @Override
        public Class<Worker> getJobRequestHandler() {
            return Worker.class;
        }
    }

    /** Works jobs. */
    public static final class Worker implements JobRequestHandler<Work> {
        private final Hands hands;

        Worker(Hands hands) {
            this.hands = hands;
        }

        @Override
        public void run(Work work) {
            byte[] payload = work.payload().getBytes(StandardCharsets.US_ASCII);
            hands.took(payload);
            hands.done(List.of(payload));
        }
    }

    private record Activator(Hands hands) implements JobActivator {
        @Override
        public <T> T activateJob(Class<T> type) {
            return type.cast(new Worker(hands));
        }
    }
}
