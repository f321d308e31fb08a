package dev.leasehold.server;

import dev.leasehold.lock.Locks;
import dev.leasehold.queue.Queues;
import dev.leasehold.server.http.HttpTransport;
import dev.leasehold.server.http.RequestListener;
import dev.leasehold.server.http.Route;
import dev.leasehold.server.observe.HealthCheck;
import dev.leasehold.server.observe.Metrics;
import dev.leasehold.server.observe.RequestLog;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;

/** The HTTP server for given locks and queues. */
public final class LeaseholdServer implements AutoCloseable {
    private final Locks locks;
    private final Queues queues;
    private final HealthCheck health;
    private final HttpTransport transport;
    private final Metrics metrics;
    private final int port;
    private final int managementPort;

    private LeaseholdServer(
            ServerOptions options, Locks locks, Queues queues, Metrics metrics, Consumer<String> requestLog) {
        this.locks = locks;
        this.queues = queues;
        this.health = new HealthCheck(locks, queues);
        this.metrics = metrics;
        RequestListener log = new RequestLog(options.labels(), options.version(), requestLog);
        this.transport = new HttpTransport(options, RequestListener.all(metrics, log));
        metrics.watch(transport, locks, queues);
        Routes routes = new Routes(options, locks, queues, health, metrics, transport.workers());
        this.port = listen(options.port(), routes.all(), routes);
        Integer management = options.management();
        this.managementPort = management == null ? port : listen(management, routes.watching(), routes);
    }

    /** Stops everything again if a port is taken or a certificate is wrong. */
    private int listen(int wanted, List<Route> list, Routes routes) {
        try {
            return transport.listen(wanted, list, routes.unknownPost(), routes.unknown());
        } catch (RuntimeException e) {
            transport.close();
            throw e;
        }
    }

    /**
     * Starts the server; returns when it accepts requests.
     *
     * @param locks the locks behind both lock APIs; closed with the server
     * @param queues the queues; closed with the server
     */
    public static LeaseholdServer start(ServerOptions options, Locks locks, Queues queues) {
        return start(options, locks, queues, new Metrics());
    }

    /**
     * The same, with metrics to which a pool was bound already.
     *
     * @param metrics closed with the server
     */
    public static LeaseholdServer start(ServerOptions options, Locks locks, Queues queues, Metrics metrics) {
        return start(options, locks, queues, metrics, LoggerFactory.getLogger("canonical")::info);
    }

    /** @param requestLog takes the lines of the request log instead of the logger {@code canonical} */
    static LeaseholdServer start(ServerOptions options, Locks locks, Queues queues, Consumer<String> requestLog) {
        return start(options, locks, queues, new Metrics(), requestLog);
    }

    private static LeaseholdServer start(
            ServerOptions options, Locks locks, Queues queues, Metrics metrics, Consumer<String> requestLog) {
        if (options.access().isLoopbackOnly() && !isLoopback(options.host())) {
            throw new IllegalArgumentException("The address " + options.host()
                    + " is not a loopback address, and no authentication is configured: set auth.keys, jwt.issuer or"
                    + " jwt.jwks; or, to let everybody in, authentication.disabled=true");
        }
        return new LeaseholdServer(options, locks, queues, metrics, requestLog);
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("The address " + host + " is not known: " + e.getMessage(), e);
        }
    }

    /** The port it listens on. */
    public int port() {
        return port;
    }

    /** The port of metrics and health: the same one, unless they have one of their own. */
    public int managementPort() {
        return managementPort;
    }

    /** Sets what explains a failure of the storage on the health page. Must not be secret: the page is open. */
    public void explainStorage(Supplier<Optional<String>> trouble) {
        health.explainStorage(trouble);
    }

    /** Stops accepting, ends waiting requests, finishes those in flight within ten seconds, and closes locks and queues. */
    @Override
    public void close() {
        health.stopping();
        transport.stopAccepting();
        queues.close();
        locks.close();
        transport.close();
        metrics.close();
    }
}
