package dev.leasehold.bench.lock;

import dev.leasehold.bench.Bench;
import dev.leasehold.bench.BenchServer;
import dev.leasehold.bench.Contender;
import dev.leasehold.bench.Database;
import dev.leasehold.bench.Recorder;
import dev.leasehold.bench.Trial;
import dev.leasehold.bench.Variant;
import dev.leasehold.bench.Versions;
import dev.leasehold.bench.Workers;
import dev.leasehold.testkit.process.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** L6: L1 over HTTP, against a server in a JVM of its own. */
final class HttpCycles implements Trial {
    private static final double NANOS_PER_SECOND = 1e9;

    private final String name = Cycles.newName();
    private final Database database;
    private final String schema;
    private final ServerProcess server;
    private final List<HttpWorker> workers;

    private HttpCycles(Bench bench, Variant variant, HttpWorker.Api api) throws IOException {
        this.database = bench.database();
        this.schema = database.newSchema();
        this.server = BenchServer.start(database, schema);
        this.workers = api.open(server, variant.concurrency());
    }

    static List<Contender> contenders() {
        String lean = ", a lean client with a connection for each worker";
        return List.of(
                contender(Contender.LEASEHOLD, "/v1/lock.acquire and /v1/lock.release" + lean, HttpWorker::ofNativeApi),
                contender(
                        "leasehold-central",
                        "the LockServiceCentral API, /v1/{namespace}/lock/{lockName}/acquire and /release" + lean,
                        HttpWorker::ofCentralApi),
                contender("leasehold-client", "the Java client, one HttpLocks for all workers", HttpWorker::ofClient),
                LeaseholdLocker.defaults().named("leasehold-library").in(Cycles::open));
    }

    private static Contender contender(String name, String settings, HttpWorker.Api api) {
        return Contender.of(
                        name,
                        Versions.of("leasehold"),
                        settings,
                        (bench, variant) -> new HttpCycles(bench, variant, api))
                .cold();
    }

    @Override
    public void run(Recorder recorder, Duration duration) throws InterruptedException {
        List<Workers.Step> steps = new ArrayList<>();
        for (int i = 0; i < workers.size(); i++) {
            steps.add(step(workers.get(i), Cycles.keysOf(name + "-" + i)));
        }
        long before = server.jvm().cpu().toNanos();
        Workers.run(recorder, duration, steps);
        recorder.extra("CPU s server", (server.jvm().cpu().toNanos() - before) / NANOS_PER_SECOND);
    }

    private static Workers.Step step(HttpWorker worker, List<String> keys) {
        int[] next = {0};
        return () -> {
            worker.cycle(keys.get(next[0]++ % keys.size()));
            return 1;
        };
    }

    @Override
    public void close() {
        workers.stream().distinct().forEach(HttpWorker::close);
        server.close();
        database.dropSchema(schema);
    }
}
