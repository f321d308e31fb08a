package dev.leasehold.server.http;

import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.ServerOptions;
import dev.leasehold.server.ServerOptions.Limits;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server on a free port, in memory. */
final class TestServer implements AutoCloseable {
    private final LeaseholdServer server;

    TestServer(Limits limits) {
        server = LeaseholdServer.start(
                ServerOptions.DEFAULT.address("127.0.0.1", 0).limits(limits),
                MemoryLocks.create(),
                MemoryQueues.create());
    }

    TestServer() {
        this(Limits.DEFAULT);
    }

    /** Limits with another time for a request to arrive. */
    static Limits requestTime(Duration time) {
        return Limits.DEFAULT.requestTime(time);
    }

    int port() {
        return server.port();
    }

    RawClient connect() {
        return new RawClient(port());
    }

    /** One request on a connection of its own. */
    RawClient.Answer ask(String request) {
        try (RawClient client = connect()) {
            return client.send(request).answer();
        }
    }

    RawClient.Answer post(String path, String body) {
        return ask(RawClient.post(path, body));
    }

    /** Whether a decent client is served. */
    boolean isAlive() {
        return post("/v1/lock.is_locked", "{\"key\": \"alive\"}").body().equals("{\"locked\":false}");
    }

    /** A number out of the metrics; zero if it is not there. */
    double metric(String name) {
        String text = ask("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n").body();
        Matcher line = Pattern.compile("(?m)^" + Pattern.quote(name) + "(?:\\{[^}]*})? (\\S+)$")
                .matcher(text);
        double sum = 0;
        while (line.find()) {
            sum += Double.parseDouble(line.group(1));
        }
        return sum;
    }

    @Override
    public void close() {
        server.close();
    }
}
