package dev.leasehold.server.observe;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.leasehold.server.http.Request;
import dev.leasehold.server.http.Response;
import dev.leasehold.server.namespaced.NamespacedErrorMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;

/** The open pages: index, health, OpenAPI. */
public final class PageEndpoints {
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String HEALTH = "application/health+json";
    private static final String OPENAPI = "/dev/leasehold/server/openapi.yaml";
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final HealthCheck health;
    private final String version;
    private final byte[] openapi = read(OPENAPI);

    public PageEndpoints(HealthCheck health, String version) {
        this.health = health;
        this.version = version;
    }

    private static byte[] read(String name) {
        try (InputStream in = PageEndpoints.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the resource " + name + " is missing: the build is not complete");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public CompletableFuture<Response> root(Request request) {
        return page(TEXT, """
                Leasehold %s: locks and queues on PostgreSQL.

                /openapi.yaml     what can be asked
                /health           how it is
                /metrics          what it has done
                """.formatted(version).getBytes(StandardCharsets.UTF_8));
    }

    public CompletableFuture<Response> robots(Request request) {
        return page(TEXT, "User-agent: *\nDisallow: /\n".getBytes(StandardCharsets.UTF_8));
    }

    public CompletableFuture<Response> openapi(Request request) {
        return page("application/yaml", openapi);
    }

    private static CompletableFuture<Response> page(String type, byte[] body) {
        return CompletableFuture.completedFuture(Response.of(200, type, body));
    }

    /** Where to look further, as LockServiceCentral's operators know it. */
    public CompletableFuture<Response> actuator(Request request) {
        ObjectNode body = JSON.objectNode();
        ObjectNode links = body.putObject("_links");
        links.putObject("self").put("href", "/actuator").put("templated", false);
        links.putObject("health").put("href", "/actuator/health").put("templated", false);
        return CompletableFuture.completedFuture(NamespacedErrorMapper.dressed(Response.json(200, body.toString())));
    }

    /** How it is, as LockServiceCentral's operators know it. */
    public CompletableFuture<Response> actuatorHealth(Request request) {
        return health.check().thenApply(state -> {
            ObjectNode body = JSON.objectNode().put("status", state.isUp() ? "UP" : "DOWN");
            return NamespacedErrorMapper.dressed(Response.json(state.isUp() ? 200 : 503, body.toString()));
        });
    }

    /** How it is, as Querator's operators know it. */
    public CompletableFuture<Response> health(Request request) {
        return health.check().thenApply(state -> {
            ObjectNode body =
                    JSON.objectNode().put("status", word(state.isUp())).put("version", version);
            ObjectNode checks = body.putObject("checks");
            check(checks, "queues:storage", state.queues(), state.at());
            check(checks, "locks:storage", state.locks(), state.at());
            byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
            return Response.of(state.isUp() ? 200 : 503, HEALTH, bytes);
        });
    }

    /** Whether the process answers: asks no database, because a restart would not bring one back. */
    public CompletableFuture<Response> live(Request request) {
        String body = JSON.objectNode()
                .put("status", word(true))
                .put("version", version)
                .toString();
        return page(HEALTH, body.getBytes(StandardCharsets.UTF_8));
    }

    private void check(ObjectNode checks, String name, boolean passes, Instant at) {
        ObjectNode check = checks.putArray(name).addObject();
        check.put("componentType", "datastore")
                .put("status", word(passes))
                .put("time", at.truncatedTo(ChronoUnit.SECONDS).toString());
        if (!passes) {
            check.put("output", health.storageTrouble());
        }
    }

    private static String word(boolean passes) {
        return passes ? "pass" : "fail";
    }
}
