package dev.leasehold.bench.queue;

import dev.leasehold.bench.Versions;
import dev.leasehold.client.HttpQueues;
import dev.leasehold.postgres.lock.PostgresLocks;
import dev.leasehold.postgres.queue.PostgresQueues;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.ServerOptions;
import java.net.URI;
import java.util.function.UnaryOperator;

/** Leasehold over HTTP: a server in this JVM, on loopback, as it comes. */
final class HttpQueuers {
    private static final String LOOPBACK = "127.0.0.1";

    private HttpQueuers() {}

    /** Through the Java client, which speaks protobuf. */
    static QueueSystem protobuf() {
        return new QueueSystem(
                "leasehold-http",
                Versions.of("leasehold"),
                "the Java client, which speaks protobuf; the server in the same JVM, 8 connections",
                place -> {
                    LeaseholdServer server = serve(place);
                    URI address = URI.create("http://" + LOOPBACK + ":" + server.port());
                    HttpQueues queues = HttpQueues.builder(address).build();
                    return new LeaseholdQueuer(queues, server::close);
                });
    }

    /** Through a client that does nothing but HTTP and JSON. */
    static QueueSystem json() {
        return new QueueSystem(
                "leasehold-json",
                Versions.of("leasehold"),
                "JSON through a lean client over plain sockets; the server in the same JVM, 8 connections",
                place -> {
                    LeaseholdServer server = serve(place);
                    return new JsonQueuer(LOOPBACK, server.port(), server::close);
                });
    }

    private static LeaseholdServer serve(Place place) {
        PostgresQueues queues = LeaseholdQueuer.open(place, UnaryOperator.identity());
        PostgresLocks locks = PostgresLocks.create(place.pool());
        return LeaseholdServer.start(ServerOptions.DEFAULT.address(LOOPBACK, 0), locks, queues);
    }
}
