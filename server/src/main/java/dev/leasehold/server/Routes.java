package dev.leasehold.server;

import dev.leasehold.lock.Locks;
import dev.leasehold.queue.Queues;
import dev.leasehold.server.auth.Grant;
import dev.leasehold.server.auth.OpenAccess;
import dev.leasehold.server.auth.Permission;
import dev.leasehold.server.http.ErrorMapper;
import dev.leasehold.server.http.Handler;
import dev.leasehold.server.http.Request;
import dev.leasehold.server.http.Response;
import dev.leasehold.server.http.Route;
import dev.leasehold.server.lock.HolderEndpoints;
import dev.leasehold.server.lock.LockEndpoints;
import dev.leasehold.server.lock.LockErrorMapper;
import dev.leasehold.server.namespaced.NamespacedEndpoints;
import dev.leasehold.server.namespaced.NamespacedErrorMapper;
import dev.leasehold.server.observe.HealthCheck;
import dev.leasehold.server.observe.Metrics;
import dev.leasehold.server.observe.PageEndpoints;
import dev.leasehold.server.observe.RequestLog;
import dev.leasehold.server.queue.ItemEndpoints;
import dev.leasehold.server.queue.QueueEndpoints;
import dev.leasehold.server.queue.QueueErrorMapper;
import dev.leasehold.server.queue.ResponseEncoder;
import dev.leasehold.server.queue.StorageEndpoints;
import dev.leasehold.server.queue.UnsupportedEndpoints;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;

/** The list of routes: every path that the server answers, with its error mapper and body limit. */
final class Routes {
    static final int LOCK_BODY = 65_536;
    static final int NAME_BODY = 512;
    static final int QUEUE_BODY = 256_000;
    static final int UPDATE_BODY = 512_000; // also has room for as many ids as one delete may name
    static final int IMPORT_BODY = 64_000_000;

    private static final Pattern NAMESPACED = Pattern.compile("/v1/(?!storage/)[^/]+/lock(/.*)?");

    private final List<Route> routes = new ArrayList<>();
    private final List<Route> watching = new ArrayList<>();
    private final boolean isWatchedElsewhere;
    private final QueueErrorMapper queueErrors = new QueueErrorMapper();
    private final NamespacedErrorMapper namespacedErrors = new NamespacedErrorMapper();

    Routes(ServerOptions options, Locks locks, Queues queues, HealthCheck health, Metrics metrics, Executor workers) {
        this.isWatchedElsewhere = options.management() != null;
        locks(new LockEndpoints(locks), new HolderEndpoints(locks));
        ResponseEncoder encoder = new ResponseEncoder(workers);
        items(new ItemEndpoints(queues, encoder), options.limits().produceBytes());
        queues(new QueueEndpoints(queues, encoder));
        storage(new StorageEndpoints(queues, encoder));
        notConfigured();
        namespaced(new NamespacedEndpoints(locks));
        pages(new PageEndpoints(health, options.version()));
        metrics(metrics, workers, isWatchedElsewhere || options.access() instanceof OpenAccess);
    }

    /**
     * Metrics name the queues of all tenants.
     *
     * @param isOpen whether they need no credential: because nothing does, or because they have a port of their own
     */
    private void metrics(Metrics metrics, Executor workers, boolean isOpen) {
        Handler handler = request -> {
            if (!isOpen) {
                request.principal().require(Permission.METRICS_READ, Grant.ALL);
            }
            return metrics.scrape(workers);
        };
        watching.add(new Route("GET", "/metrics", "metrics", namespacedErrors, Route.NO_BODY, isOpen, handler));
    }

    private void locks(LockEndpoints lock, HolderEndpoints held) {
        LockErrorMapper lockErrors = new LockErrorMapper();
        post("/v1/lock.acquire", lockErrors, LOCK_BODY, lock::acquire);
        post("/v1/lock.release", lockErrors, LOCK_BODY, lock::release);
        post("/v1/lock.extend", lockErrors, LOCK_BODY, lock::extend);
        post("/v1/lock.is_locked", lockErrors, LOCK_BODY, lock::isLocked);
        post("/v1/lock.lookup", lockErrors, LOCK_BODY, lock::lookup);
        post("/v1/lock.list", lockErrors, LOCK_BODY, lock::list);
        post("/v1/lock.force_release", lockErrors, LOCK_BODY, lock::forceRelease);
        post("/v1/lock.renew_held", lockErrors, LOCK_BODY, held::renew);
        post("/v1/lock.release_held", lockErrors, LOCK_BODY, held::release);
    }

    private void namespaced(NamespacedEndpoints lock) {
        String path = "/v1/{namespace}/lock/{lockName}";
        namespaced("GET", path, "get", lock::get);
        namespaced("HEAD", path, "get", lock::get);
        namespaced("OPTIONS", path, "options", lock::options);
        operation(path + "/acquire", "acquire", lock, lock::acquire);
        operation(path + "/renew", "renew", lock, lock::renew);
        operation(path + "/release", "release", lock, lock::release);
    }

    private void operation(String path, String verb, NamespacedEndpoints lock, Handler handler) {
        namespaced("POST", path, verb, handler);
        namespaced("OPTIONS", path, "options", lock::operationOptions);
    }

    private void namespaced(String method, String path, String verb, Handler handler) {
        routes.add(new Route(method, path, "namespaced." + verb, namespacedErrors, LOCK_BODY, false, handler));
    }

    private void pages(PageEndpoints pages) {
        page("/", "root", pages::root);
        page("/robots.txt", "robots", pages::robots);
        page("/openapi.yaml", "openapi", pages::openapi);
        watch("/actuator", "page.actuator", pages::actuator);
        watch("/actuator/health", "page.actuator_health", pages::actuatorHealth);
        watch("/health", "page.health", pages::health);
        watch("/health/ready", "page.health_ready", pages::health);
        watch("/health/live", "page.health_live", pages::live);
    }

    private void page(String path, String name, Handler handler) {
        routes.add(new Route("GET", path, "page." + name, namespacedErrors, Route.NO_BODY, true, handler));
    }

    /** Adds a page for monitoring. */
    private void watch(String path, String operation, Handler handler) {
        watching.add(new Route("GET", path, operation, namespacedErrors, Route.NO_BODY, true, handler));
    }

    private void items(ItemEndpoints item, int produceBody) {
        post("/v1/queue.produce", queueErrors, produceBody, item::produce);
        post("/v1/queue.lease", queueErrors, NAME_BODY, item::lease);
        post("/v1/queue.withdraw", queueErrors, NAME_BODY, item::withdraw);
        post("/v1/queue.complete", queueErrors, QUEUE_BODY, item::complete);
        post("/v1/queue.retry", queueErrors, QUEUE_BODY, item::retry);
        post("/v1/queue.extend", queueErrors, QUEUE_BODY, item::extend);
        post("/v1/queue.give_back", queueErrors, QUEUE_BODY, item::giveBack);
    }

    private void queues(QueueEndpoints queue) {
        post("/v1/queue.stats", queueErrors, NAME_BODY, queue::stats);
        post("/v1/queue.clear", queueErrors, NAME_BODY, queue::clear);
        post("/v1/queue.reload", queueErrors, NAME_BODY, queue::reload);
        post("/v1/queues.create", queueErrors, QUEUE_BODY, queue::create);
        post("/v1/queues.list", queueErrors, QUEUE_BODY, queue::list);
        post("/v1/queues.update", queueErrors, UPDATE_BODY, queue::update);
        post("/v1/queues.delete", queueErrors, QUEUE_BODY, queue::delete);
        post("/v1/queues.info", queueErrors, QUEUE_BODY, queue::info);
    }

    private void storage(StorageEndpoints storage) {
        post("/v1/storage/items.list", queueErrors, QUEUE_BODY, storage::list);
        post("/v1/storage/items.import", queueErrors, IMPORT_BODY, storage::importItems);
        post("/v1/storage/items.delete", queueErrors, UPDATE_BODY, storage::delete);
        post("/v1/storage/scheduled.list", queueErrors, QUEUE_BODY, storage::listScheduled);
    }

    /** Endpoints of Querator for what is in the configuration here. */
    private void notConfigured() {
        notConfigured("namespace", "namespaces", "create", "update", "list", "delete");
        notConfigured("user", "users", "create", "list", "delete");
        notConfigured("api key", "apikeys", "create", "list", "delete");
        notConfigured("role", "roles", "create", "list", "update", "delete");
        notConfigured("role binding", "rolebindings", "create", "list", "delete");
    }

    private void notConfigured(String store, String noun, String... verbs) {
        for (String verb : verbs) {
            post("/v1/" + noun + "." + verb, queueErrors, QUEUE_BODY, UnsupportedEndpoints.notConfigured(store));
        }
    }

    private void post(String path, ErrorMapper errors, int bodyLimit, Handler handler) {
        String operation = path.substring("/v1/".length()).replace('/', '.');
        routes.add(new Route("POST", path, operation, errors, bodyLimit, false, handler));
    }

    /** All routes of the main port. */
    List<Route> all() {
        List<Route> all = new ArrayList<>(routes);
        if (!isWatchedElsewhere) {
            all.addAll(watching);
        }
        return List.copyOf(all);
    }

    /** Metrics and health. */
    List<Route> watching() {
        return List.copyOf(watching);
    }

    /** The route of posts to unknown paths. */
    Route unknownPost() {
        Handler noSuchMethod = UnsupportedEndpoints.noSuchMethod();
        return new Route(
                "POST",
                "",
                RequestLog.UNKNOWN,
                queueErrors,
                QUEUE_BODY,
                false,
                request -> NAMESPACED.matcher(request.path()).matches()
                        ? notFound(request)
                        : noSuchMethod.handle(request));
    }

    /** The route of all other unknown paths. */
    Route unknown() {
        return new Route("GET", "", RequestLog.UNKNOWN, namespacedErrors, Route.NO_BODY, true, this::notFound);
    }

    private CompletableFuture<Response> notFound(Request request) {
        return CompletableFuture.completedFuture(namespacedErrors.notFound(request.notes()));
    }
}
