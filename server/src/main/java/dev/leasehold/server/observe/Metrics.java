package dev.leasehold.server.observe;

import dev.leasehold.lock.Locks;
import dev.leasehold.micrometer.LeaseholdMetrics;
import dev.leasehold.queue.Queues;
import dev.leasehold.server.http.HttpTransport;
import dev.leasehold.server.http.RequestListener;
import dev.leasehold.server.http.Response;
import dev.leasehold.server.http.Route;
import dev.leasehold.spi.Futures;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The meters of the server, for Prometheus.
 *
 * <p>Labels have a bounded number of values: operations of routes, outcomes, and names of queues up to a limit. A scrape does no I/O.
 */
public final class Metrics implements RequestListener, AutoCloseable {
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final Duration[] BUCKETS = IntStream.of(
                    1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics gc = new JvmGcMetrics();
    private final Map<Label, Timer> timers = new ConcurrentHashMap<>();
    private final Map<String, DistributionSummary> paths = new ConcurrentHashMap<>();
    private final LeaseholdMetrics engines = new LeaseholdMetrics(registry);
    private final AtomicInteger active = new AtomicInteger();
    private CompletableFuture<Response> lastPage =
            CompletableFuture.completedFuture(Response.of(200, TEXT, new byte[0]));
    private boolean isPlanned;

    public Metrics() {
        bind(new JvmMemoryMetrics());
        bind(gc);
        bind(new JvmThreadMetrics());
        bind(new ClassLoaderMetrics());
        bind(new ProcessorMetrics());
        bind(new UptimeMetrics());
        gauge(
                "leasehold.requests.active",
                "Requests whose answer is not out yet, those that wait included",
                active::get);
    }

    /** Adds the gauges of a server, its locks and its queues. */
    public void watch(HttpTransport transport, Locks locks, Queues queues) {
        gauge("leasehold.connections.open", "Open connections", transport::connectionCount);
        gauge("leasehold.body.bytes", "Bytes of the bodies of requests and answers in flight", transport::bodyBytes);
        engines.bind(locks, queues);
    }

    /** Adds other meters, for example those of a connection pool. */
    public Metrics bind(MeterBinder binder) {
        binder.bindTo(registry);
        return this;
    }

    /** The registry, for libraries that add meters of their own. */
    public PrometheusMeterRegistry registry() {
        return registry;
    }

    /** Adds a number that is read at each scrape, without I/O. */
    public void gauge(String name, String meaning, Supplier<Number> value) {
        Gauge.builder(name, value).description(meaning).register(registry);
    }

    @Override
    public void began(Route route) {
        active.incrementAndGet();
    }

    @Override
    public void answered(Answered answered) {
        active.decrementAndGet();
        Label label = Label.of(answered);
        timers.computeIfAbsent(label, this::timer).record(Duration.ofNanos(answered.nanos()));
        paths.computeIfAbsent(answered.route().path(), this::summary).record(answered.nanos() / 1e9);
    }

    private Timer timer(Label label) {
        return Timer.builder("leasehold.request")
                .description("Requests: from when the head had arrived until the answer was ready, in seconds")
                .tag("operation", label.operation)
                .tag("outcome", label.outcome.text())
                .tag("status", label.status)
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }

    private DistributionSummary summary(String path) {
        return DistributionSummary.builder("http.handler.duration")
                .description("Requests per path, in seconds")
                .tag("path", path)
                .publishPercentiles(0.5, 0.99)
                .register(registry);
    }

    /**
     * Answers {@code GET /metrics}. Rendering takes milliseconds, so the event loop leaves it to a worker. One page is rendered at a
     * time, and serves all requests that came before it was begun: a crowd of them costs no more than two.
     */
    public synchronized CompletableFuture<Response> scrape(Executor workers) {
        if (!isPlanned) {
            isPlanned = true;
            lastPage = lastPage.handle((page, failure) -> true).thenApplyAsync(done -> render(), workers);
            Futures.whenDone(lastPage, (page, failure) -> {
                if (failure != null) {
                    begin(); // no worker took it
                }
            });
        }
        return lastPage.copy();
    }

    private synchronized void begin() {
        isPlanned = false;
    }

    private Response render() {
        begin();
        engines.refresh();
        return Response.of(200, TEXT, registry.scrape().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        gc.close();
        engines.close();
        registry.close();
    }

    private record Label(String operation, RequestOutcome outcome, String status) {
        static Label of(Answered answered) {
            boolean isContended =
                    RequestOutcome.CONTENTION.text().equals(answered.notes().get(RequestOutcome.NOTE));
            return new Label(
                    answered.route().operation(),
                    isContended ? RequestOutcome.CONTENTION : RequestOutcome.of(answered.status()),
                    answered.status() / 100 + "xx");
        }
    }
}
