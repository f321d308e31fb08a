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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP servers of Vert.x, one for each port, and what their connections share.
 *
 * <p>A few event loops read and write all connections; nothing on them blocks. A request that waits is an {@link HttpExchange} in
 * memory and no thread. A disconnect is noticed at once, because every connection is always being read.
 */
public final class HttpTransport implements AutoCloseable {
    /** How long a peer may take to read an answer. */
    public static final Duration ANSWER_TIME = ResponseWriter.TIME;

    /** How many requests a connection may have sent that are not answered. */
    public static final int UNANSWERED_REQUESTS = PipelineLimit.MOST;

    private static final Logger log = LoggerFactory.getLogger(HttpTransport.class);
    private static final int STOP_SECONDS = 8;

    /** The longest request line: no path comes close, and the decoder counts it apart from the headers. */
    private static final int MOST_LINE_BYTES = 4_096;

    private static final int WORKERS = 2;

    /** Those of TLS 1.3, and those of 1.2 with forward secrecy and authenticated encryption. */
    private static final List<String> CIPHER_SUITES = List.of(
            "TLS_AES_256_GCM_SHA384",
            "TLS_AES_128_GCM_SHA256",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    private static final String MALFORMED =
            "{\"code\":400,\"code_text\":\"Bad Request\",\"message\":\"the request is not well-formed HTTP/1.1\"}";

    private final Vertx vertx;
    private final ServerOptions options;
    private final RequestListener listener;
    private final Connections connections;
    private final BodyBudget budget;
    private final CrossSiteGuard crossSiteGuard;
    private final ExecutorService workers;
    private final List<HttpServer> servers = new ArrayList<>();

    public HttpTransport(ServerOptions options, RequestListener listener) {
        this.options = options;
        this.listener = listener;
        this.connections = new Connections(options.limits());
        this.vertx = Vertx.builder()
                .with(new VertxOptions().setUseDaemonThread(true))
                .withTransport(new CountingTransport(connections))
                .build();
        this.budget = new BodyBudget(options.limits().bodyBytes());
        this.crossSiteGuard = new CrossSiteGuard(options);
        this.workers = workers(connections.limit());
    }

    /** A connection has one request at a time, so the queue has room for one task of every connection. */
    private static ExecutorService workers(int mostWork) {
        return new ThreadPoolExecutor(
                WORKERS, WORKERS, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(mostWork), HttpTransport::worker);
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
                .invalidRequestHandler(HttpTransport::refuseMalformed)
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
                .setHandle100ContinueAutomatically(false)
                .setMaxHeaderSize(options.limits().headerBytes())
                .setMaxInitialLineLength(Math.min(options.limits().headerBytes(), MOST_LINE_BYTES))
                .setTcpNoDelay(true)
                .setAcceptBacklog(4096);
        ServerOptions.Tls tls = options.tls();
        if (tls != null) {
            PemFiles.check(tls);
            http.setSsl(true)
                    .setEnabledSecureTransportProtocols(Set.of("TLSv1.2", "TLSv1.3"))
                    .setSslHandshakeTimeout(options.limits().requestTime().toMillis())
                    .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
                    .setKeyCertOptions(new PemKeyCertOptions()
                            .setCertPath(tls.certificate().toString())
                            .setKeyPath(tls.key().toString()));
            CIPHER_SUITES.forEach(http::addEnabledCipherSuite);
        }
        return http;
    }

    private void begin(HttpServerRequest request, Router router) {
        if (RequestHead.isAmbiguous(request)
                || RequestHead.size(request) > options.limits().headerBytes()) {
            refuseMalformed(request);
            return;
        }
        new HttpExchange(this, request, router.match(request.method().name(), request.path())).begin();
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

    RequestListener listener() {
        return listener;
    }

    BodyBudget budget() {
        return budget;
    }

    CrossSiteGuard crossSiteGuard() {
        return crossSiteGuard;
    }

    Connections connections() {
        return connections;
    }

    /** How many connections are open. */
    public int connectionCount() {
        return connections.count();
    }

    /** How many bytes the bodies of requests and answers in flight take. */
    public long bodyBytes() {
        return budget.used();
    }

    /** Threads for what would hold up an event loop or an engine. */
    public ExecutorService workers() {
        return workers;
    }

    /** Stops accepting; connections are closed when their response has been written. */
    public void stopAccepting() {
        servers.forEach(server -> server.shutdown(STOP_SECONDS, TimeUnit.SECONDS));
    }

    /** Waits some seconds for the requests in flight, and stops. */
    @Override
    public void close() {
        List<Future<Void>> down = servers.stream()
                .map(server -> server.shutdown(STOP_SECONDS, TimeUnit.SECONDS))
                .toList();
        down.forEach(future -> await(future, STOP_SECONDS + 1));
        workers.shutdown();
        connections.close();
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
