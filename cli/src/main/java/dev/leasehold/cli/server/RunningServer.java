package dev.leasehold.cli.server;

import dev.leasehold.cli.BuildInfo;
import dev.leasehold.cli.config.Config;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.ServerOptions;
import dev.leasehold.server.observe.Metrics;
import java.net.BindException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * /**
 * A whole server. It starts with the database and ends with it: the HTTP server stops first, which answers waiting requests and
 * finishes those under way.
 */
public final class RunningServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RunningServer.class);

    /** Share of the HTTP server in the ten seconds that a stop may take: the rest is for the database. */
    private static final Duration HTTP_STOP = Duration.ofSeconds(6);

    private final Config config;
    private final CloseStack closing = new CloseStack();
    private int port;
    private String about = "";

    private RunningServer(Config config) {
        this.config = config;
    }

    /** One that has not started: it can be closed at any time from now on, also half-way up. */
    public static RunningServer of(Config config) {
        return new RunningServer(config);
    }

    /** Starts it; if that fails, nothing is left running. */
    public void start() {
        try {
            Metrics metrics = new Metrics();
            Engines engines = Engines.open(config.storage(), config.queueBounds(), closing, metrics);
            about = engines.about();
            closing.add(engines.locks());
            closing.add(engines.queues());
            DeclaredQueues.create(config.queues(), engines.queues());
            LeaseholdServer server = listen(engines, metrics);
            closing.add(() -> close(server));
            server.explainStorage(engines.trouble());
            port = server.port();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Waits for it for a while only: the database must be closed too. */
    private static void close(LeaseholdServer server) throws InterruptedException {
        Thread thread = new Thread(server::close, "leasehold-http-stop");
        thread.setDaemon(true);
        thread.start();
        thread.join(HTTP_STOP.toMillis());
        if (thread.isAlive()) {
            LOG.warn("the HTTP server did not stop within {} s; closing the rest", HTTP_STOP.toSeconds());
        }
    }

    private LeaseholdServer listen(Engines engines, Metrics metrics) {
        try {
            return LeaseholdServer.start(options(), engines.locks(), engines.queues(), metrics);
        } catch (RuntimeException e) {
            if (isInUse(e)) {
                throw new StartException(
                        "the address " + config.address()
                                + " is in use; stop who uses it, or choose another with --address",
                        e);
            }
            throw e;
        }
    }

    private static boolean isInUse(Throwable e) {
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t instanceof BindException) {
                return true;
            }
        }
        return false;
    }

    private ServerOptions options() {
        Map<String, String> labels = new HashMap<>(Map.of("version", BuildInfo.version()));
        labels.putAll(config.labels());
        return ServerOptions.DEFAULT
                .address(config.address().host(), config.address().port())
                .management(config.managementPort())
                .access(AccessFactory.create(config.authentication()))
                .tls(config.tls())
                .limits(config.limits())
                .labels(labels);
    }

    /** The port it listens on. */
    public int port() {
        return port;
    }

    /** What to tell whoever started it. */
    public List<String> welcome() {
        return StartMessage.lines(config, port, about);
    }

    @Override
    public void close() {
        closing.close();
    }
}
