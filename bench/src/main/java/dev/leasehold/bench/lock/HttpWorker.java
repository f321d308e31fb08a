package dev.leasehold.bench.lock;

import dev.leasehold.bench.HttpConnection;
import dev.leasehold.bench.HttpConnection.Answer;
import dev.leasehold.client.HttpLocks;
import dev.leasehold.lock.AcquireRequest;
import dev.leasehold.testkit.process.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A way to take a lock over HTTP and give it back. */
interface HttpWorker extends AutoCloseable {
    void cycle(String key) throws IOException;

    @Override
    void close();

    /** Opens the workers of one API of the server. */
    @FunctionalInterface
    interface Api {
        List<HttpWorker> open(ServerProcess server, int workers) throws IOException;
    }

    /** Leasehold's own paths. */
    static List<HttpWorker> ofNativeApi(ServerProcess server, int workers) throws IOException {
        return eachWithConnection(server, workers, Native::new);
    }

    /** The paths of LockServiceCentral. */
    static List<HttpWorker> ofCentralApi(ServerProcess server, int workers) throws IOException {
        return eachWithConnection(server, workers, Central::new);
    }

    private static List<HttpWorker> eachWithConnection(
            ServerProcess server, int workers, Function<HttpConnection, HttpWorker> worker) throws IOException {
        List<HttpWorker> all = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            all.add(worker.apply(
                    HttpConnection.open(server.uri().getHost(), server.uri().getPort())));
        }
        return all;
    }

    /** The Java client, one for all workers. */
    static List<HttpWorker> ofClient(ServerProcess server, int workers) {
        HttpLocks locks =
                HttpLocks.builder(server.uri()).timeout(Duration.ofMinutes(1)).build();
        return Collections.nCopies(workers, new Client(locks));
    }

    private static void expectSuccess(Answer answer) throws IOException {
        if (answer.status() != 200) {
            throw new IOException("expected status 200, got " + answer.status() + ": " + answer.text());
        }
    }

    /** Uses the native lock API. */
    record Native(HttpConnection http) implements HttpWorker {
        private static final Pattern LOCK_ID = Pattern.compile("\"lock_id\"\\s*:\\s*\"([^\"]+)\"");

        @Override
        public void cycle(String key) throws IOException {
            Answer granted = http.post("/v1/lock.acquire", "{\"key\": \"" + key + "\", \"ttl\": \"30s\"}");
            Matcher id = LOCK_ID.matcher(granted.text());
            if (!id.find()) {
                throw new IOException("the lock was not granted, status " + granted.status());
            }
            expectSuccess(http.post("/v1/lock.release", "{\"lock_id\": \"" + id.group(1) + "\"}"));
        }

        @Override
        public void close() {
            http.close();
        }
    }

    /** Uses the LockServiceCentral API. */
    record Central(HttpConnection http) implements HttpWorker {
        @Override
        public void cycle(String key) throws IOException {
            String path = "/v1/bench/lock/" + key.replace(':', '-');
            expectSuccess(http.post(path + "/acquire", "{\"instanceId\": \"bench-1\", \"leaseDuration\": 30}"));
            expectSuccess(http.post(path + "/release", "{\"instanceId\": \"bench-1\"}"));
        }

        @Override
        public void close() {
            http.close();
        }
    }

    /** Uses the Java client. */
    record Client(HttpLocks locks) implements HttpWorker {
        @Override
        public void cycle(String key) {
            locks.tryAcquire(AcquireRequest.of(key))
                    .orElseThrow(() -> new IllegalStateException("nobody else has the lock, and it was refused"))
                    .release();
        }

        @Override
        public void close() {
            locks.close();
        }
    }
}
