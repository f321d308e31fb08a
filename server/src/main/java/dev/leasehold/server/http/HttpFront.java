package dev.leasehold.server.http;

import dev.leasehold.server.ServerOptions;
import dev.leasehold.server.auth.Access;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The side of the server that faces the network.
 *
 * <p>A few event loops read and write all connections; nothing on them blocks. A request that waits is an {@link Exchange} in
 * memory and no thread. Its caller's hanging up is noticed at once, because every connection is always being read.
 */
public final class HttpFront implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(HttpFront.class);
    private static final int STOP_SECONDS = 8;
    private static final String MALFORMED =
            "{\"code\":400,\"code_text\":\"Bad Request\",\"message\":\"the request is not well-formed HTTP/1.1\"}";

    private final Vertx vertx;
    private final ServerOptions options;
    private final Observer observer;
    private final Connections connections;
    private final ExecutorService workers = Executors.newFixedThreadPool(2, HttpFront::worker);
    private final List<HttpServer> servers = new ArrayList<>();

    public HttpFront(ServerOptions options, Observer observer) {
        this.options = options;
        this.observer = observer;
        this.vertx = Vertx.vertx(new VertxOptions().setUseDaemonThread(true));
        this.connections = new Connections(vertx, options.limits());
    }

    private static Thread worker(Runnable work) {
        Thread thread = new Thread(work, "leasehold-http-worker");
        thread.setDaemon(true);
        return thread;
    }

    /** Serves these routes on a port of the host; returns the port, when it answers. */
    public int listen(int port, List<Route> routes, Route unknownPost, Route unknown) {
        Router router = new Router(routes, unknownPost, unknown);
        HttpServer server = vertx.createHttpServer(serverOptions())
                .connectionHandler(connections::opened)
                .invalidRequestHandler(HttpFront::refuseMalformed)
                .requestHandler(request -> begin(request, router));
        try {
            await(server.listen(port, options.host()), STOP_SECONDS);
        } catch (IllegalStateException e) {
            throw options.tls() == null ? e : PemFiles.explained(options.tls(), e);
        }
        servers.add(server);
        return server.actualPort();
    }

    private HttpServerOptions serverOptions() {
        HttpServerOptions http = new HttpServerOptions()
                .setHttp2ClearTextEnabled(false)
                .setUseAlpn(false)
                .setHandle100ContinueAutomatically(true)
                .setMaxHeaderSize(options.limits().headerBytes())
                .setMaxInitialLineLength(options.limits().headerBytes())
                .setTcpNoDelay(true)
                .setAcceptBacklog(4096);
        ServerOptions.Tls tls = options.tls();
        if (tls != null) {
            PemFiles.check(tls);
            http.setSsl(true)
                    .setEnabledSecureTransportProtocols(Set.of("TLSv1.2", "TLSv1.3"))
                    .setKeyCertOptions(new PemKeyCertOptions()
                            .setCertPath(tls.certificate().toString())
                            .setKeyPath(tls.key().toString()));
        }
        return http;
    }

    private void begin(HttpServerRequest request, Router router) {
        String encoding = request.getHeader("Transfer-Encoding");
        if (encoding != null && !encoding.equalsIgnoreCase("chunked")) {
            refuseMalformed(request); // where its body ends is a matter of opinion
            return;
        }
        new Exchange(this, request, router.match(request.method().name(), request.path())).begin();
    }

    private static void refuseMalformed(HttpServerRequest request) {
        request.response()
                .setStatusCode(400)
                .putHeader("Content-Type", Response.JSON)
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Connection", "close")
                .end(Buffer.buffer(MALFORMED))
                .onComplete(done -> request.connection().close());
    }

    Vertx vertx() {
        return vertx;
    }

    Access access() {
        return options.access();
    }

    ServerOptions.Limits limits() {
        return options.limits();
    }

    Observer observer() {
        return observer;
    }

    Connections connections() {
        return connections;
    }

    /** How many connections are open. */
    public int connectionCount() {
        return connections.count();
    }

    /** Threads for what would hold up an event loop or an engine. */
    public ExecutorService workers() {
        return workers;
    }

    /** Accepts nobody any more; connections go as soon as their answer is out. */
    public void stopAccepting() {
        servers.forEach(server -> server.shutdown(STOP_SECONDS, TimeUnit.SECONDS));
    }

    /** Waits until everybody has been answered, for some seconds at most. */
    @Override
    public void close() {
        List<Future<Void>> down = servers.stream()
                .map(server -> server.shutdown(STOP_SECONDS, TimeUnit.SECONDS))
                .toList();
        down.forEach(future -> await(future, STOP_SECONDS + 1));
        workers.shutdown();
        await(vertx.close(), STOP_SECONDS);
    }

    private static void await(Future<?> future, int seconds) {
        try {
            future.toCompletionStage().toCompletableFuture().get(seconds, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException(
                    e.getCause() == null
                            ? "the server cannot listen"
                            : e.getCause().getMessage(),
                    e);
        } catch (TimeoutException e) {
            log.warn("event=http_slow_stop seconds={}", seconds);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
