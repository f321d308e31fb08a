package dev.leasehold.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.server.ServerOptions;
import dev.leasehold.server.auth.Access;
import dev.leasehold.server.auth.Grant;
import dev.leasehold.server.auth.Permission;
import dev.leasehold.server.auth.Principal;
import dev.leasehold.server.auth.UnauthorizedException;
import dev.leasehold.testkit.QueueFixture;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Who may do what at the queue door. */
class AccessTest extends QueueDoorTests {
    private static final Map<String, Principal> KNOWN = Map.of(
            "Bearer root", who("root", Grant.ALL, EnumSet.allOf(Permission.class)),
            "Bearer producer", who("producer", "shop", Set.of(Permission.QUEUES_PRODUCE)),
            "Bearer consumer", who("consumer", "shop", Set.of(Permission.QUEUES_CONSUME)),
            "Bearer admin", who("admin", "shop", Set.of(Permission.QUEUES_ADMIN)),
            "Bearer stranger", who("stranger", "elsewhere", EnumSet.allOf(Permission.class)));

    private static final List<String> OF_PRODUCERS = List.of("queue.produce", "storage/items.import");
    private static final List<String> OF_CONSUMERS =
            List.of("queue.lease", "queue.complete", "queue.retry", "queue.extend", "queue.give_back");
    private static final List<String> OF_ADMINS =
            List.of("queue.clear", "queue.reload", "storage/items.delete", "queues.update");
    private static final List<String> OF_ALL =
            List.of("queue.stats", "queues.info", "storage/items.list", "storage/scheduled.list");

    private String queue = "";

    private static Principal who(String name, String namespace, Set<Permission> permissions) {
        return new Principal(name, true, List.of(new Grant(namespace, permissions)));
    }

    @Override
    QueueFixture newNodes() {
        return new MemoryNodes();
    }

    @Override
    ServerOptions options() {
        Access access = header -> {
            Principal known = header == null ? null : KNOWN.get(header);
            return known != null
                    ? CompletableFuture.completedFuture(known)
                    : CompletableFuture.failedFuture(new UnauthorizedException("api key does not exist"));
        };
        return super.options().access(access);
    }

    @BeforeAll
    void create() {
        queue = newName();
        as("root").create(queue, "namespace", "shop");
    }

    private QueueClient as(String name) {
        return new QueueClient(server().port(), name);
    }

    private int status(String name, String operation) {
        return as(name).post(operation, "queue_name", queue).status();
    }

    @Test
    void each_permission_opens_its_own_calls() {
        OF_PRODUCERS.forEach(operation -> onlyFor(operation, "producer"));
        OF_CONSUMERS.forEach(operation -> onlyFor(operation, "consumer"));
        OF_ADMINS.forEach(operation -> onlyFor(operation, "admin"));
        for (String operation : OF_ALL) {
            for (String name : List.of("producer", "consumer", "admin", "root")) {
                assertThat(status(name, operation)).as(operation).isEqualTo(200);
            }
            assertThat(status("stranger", operation)).isEqualTo(403);
        }
    }

    /** Whoever may is told what is wrong with the request, or that it was done; the others are told nothing. */
    private void onlyFor(String operation, String allowed) {
        for (String name : List.of("producer", "consumer", "admin", "stranger")) {
            boolean isAllowed = name.equals(allowed);
            assertThat(status(name, operation) == 403)
                    .as(name + " " + operation)
                    .isNotEqualTo(isAllowed);
        }
        assertThat(status("root", operation)).isIn(200, 400);
    }

    @Test
    void a_queue_that_is_missing_and_one_that_is_forbidden_look_alike() {
        for (String operation :
                List.of("queue.stats", "queues.info", "queues.delete", "queues.update", "queue.lease")) {
            as("stranger").post(operation, "queue_name", queue).isRefusal(403, "access denied");
            as("stranger").post(operation, "queue_name", "nobody-s").isRefusal(403, "access denied");
            as("root")
                    .post(operation, "queue_name", "nobody-s")
                    .isRefusal(400, "queue does not exist; no such queue named 'nobody-s'");
        }
    }

    @Test
    void queues_are_created_and_listed_where_the_caller_is_at_home() {
        as("admin")
                .post(
                        "queues.create",
                        "queue_name",
                        newName(),
                        "lease_timeout",
                        "1m",
                        "expire_timeout",
                        "1h",
                        "requested_partitions",
                        1)
                .isRefusal(403, "access denied");
        String mine = newName();
        as("admin").create(mine, "namespace", "shop");
        assertThat(QueueClient.list(as("producer").post("queues.list", "namespace", "shop")))
                .extracting(info -> info.path("queue_name").asText())
                .contains(mine, queue);
        as("producer").post("queues.list").isRefusal(403, "access denied");
        as("stranger").post("queues.list", "namespace", "shop").isRefusal(403, "access denied");
        as("producer").post("queues.delete", "queue_name", mine).isRefusal(403, "access denied");
        as("admin").post("queues.delete", "queue_name", mine).ok();
    }

    @Test
    void who_is_not_known_is_told_so_before_all_else() {
        for (String operation : List.of("queue.stats", "users.list", "nobody.knows")) {
            Answer answer = client.post(operation, "queue_name", queue);
            answer.isRefusal(401, "api key does not exist");
            assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer");
            assertThat(as("mallory").post(operation).status()).isEqualTo(401);
        }
    }
}
