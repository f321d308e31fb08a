package dev.leasehold.server.observe;

import dev.leasehold.server.http.Observer;
import dev.leasehold.server.http.Request;
import dev.leasehold.server.http.Response;
import dev.leasehold.server.http.Route;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What the server counts, for Prometheus.
 *
 * <p>Labels come from lists that the server itself has made: the operations of its routes, a few outcomes. Nothing that a caller
 * sends becomes one, so nobody can make their number grow. A scrape asks nobody: it reads what the process knows.
 */
public final class Metrics implements Observer, AutoCloseable {
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final Duration FASTEST = Duration.ofMillis(1);
    private static final Duration SLOWEST = Duration.ofSeconds(60);

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics gc = new JvmGcMetrics();
    private final Map<Label, Timer> timers = new ConcurrentHashMap<>();
    private final Map<String, DistributionSummary> paths = new ConcurrentHashMap<>();
    private final AtomicInteger active = new AtomicInteger();

    public Metrics() {
        bind(new JvmMemoryMetrics());
        bind(gc);
        bind(new JvmThreadMetrics());
        bind(new ClassLoaderMetrics());
        bind(new ProcessorMetrics());
        bind(new UptimeMetrics());
        gauge("leasehold.requests.active", "Requests whose answer is not out yet, those that wait included", active::get);
    }

    /** Adds what somebody else counts, for example a pool of connections. */
    public Metrics bind(MeterBinder binder) {
        binder.bindTo(registry);
        return this;
    }

    /** Where it is all kept, for those who count in a registry that they are given. */
    public PrometheusMeterRegistry registry() {
        return registry;
    }

    /** Adds a number that is read at each scrape. It must be at hand: no query, no waiting. */
    public void gauge(String name, String meaning, Supplier<Number> value) {
        Gauge.builder(name, value).description(meaning).register(registry);
    }

    /**
     * Adds how many calls an engine has sent in how many messages: their ratio is the size of its groups.
     *
     * @param engine locks or queues
     */
    public void groups(String engine, LongSupplier calls, LongSupplier messages) {
        counter("leasehold.group.calls", "Calls sent to the database", engine, calls);
        counter("leasehold.group.messages", "Messages to the database that carried them", engine, messages);
    }

    private void counter(String name, String meaning, String engine, LongSupplier value) {
        FunctionCounter.builder(name, value, LongSupplier::getAsLong)
                .description(meaning)
                .tag("engine", engine)
                .register(registry);
    }

    @Override
    public void began(Route route) {
        active.incrementAndGet();
    }

    @Override
    public void answered(Answered answered) {
        active.decrementAndGet();
        Label label = new Label(answered.route().operation(), answered.status());
        timers.computeIfAbsent(label, this::timer).record(Duration.ofNanos(answered.nanos()));
        paths.computeIfAbsent(answered.route().path(), this::summary).record(answered.nanos() / 1e9);
    }

    private Timer timer(Label label) {
        return Timer.builder("leasehold.request")
                .description("Requests: from when the head had arrived until the answer was ready, in seconds")
                .tag("operation", label.operation)
                .tag("outcome", Outcome.of(label.status).text())
                .tag("status", label.status / 100 + "xx")
                .publishPercentileHistogram()
                .minimumExpectedValue(FASTEST)
                .maximumExpectedValue(SLOWEST)
                .register(registry);
    }

    private DistributionSummary summary(String path) {
        return DistributionSummary.builder("http.handler.duration")
                .description("Requests per path, in seconds")
                .tag("path", path)
                .publishPercentiles(0.5, 0.99)
                .register(registry);
    }

    /** Answers {@code GET /metrics}. */
    public CompletableFuture<Response> scrape(Request request) {
        byte[] text = registry.scrape().getBytes(StandardCharsets.UTF_8);
        return CompletableFuture.completedFuture(Response.of(200, TEXT, text));
    }

    @Override
    public void close() {
        gc.close();
        registry.close();
    }

    private record Label(String operation, int status) {}
}
