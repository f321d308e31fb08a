package dev.leasehold.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.server.ServerOptions;
import dev.leasehold.server.auth.Access;
import dev.leasehold.server.auth.Grant;
import dev.leasehold.server.auth.Permission;
import dev.leasehold.server.auth.Principal;
import dev.leasehold.server.auth.UnauthorizedException;
import dev.leasehold.testkit.QueueFixture;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Permissions in the Querator API. */
class AccessTest extends QueueEndpointsTests {
    private static final Map<String, Principal> KNOWN = Map.of(
            "Bearer root", who("root", Grant.ALL, EnumSet.allOf(Permission.class)),
            "Bearer producer", who("producer", "shop", Set.of(Permission.QUEUES_PRODUCE)),
            "Bearer consumer", who("consumer", "shop", Set.of(Permission.QUEUES_CONSUME)),
            "Bearer admin", who("admin", "shop", Set.of(Permission.QUEUES_ADMIN)),
            "Bearer stranger", who("stranger", "elsewhere", EnumSet.allOf(Permission.class)));

    private static final Set<String> ALL = Set.of("producer", "consumer", "admin");

    /** Who may call each route of queues, as docs/security.md says. */
    private static final Map<String, Set<String>> ALLOWED = Map.ofEntries(
            Map.entry("queue.produce", Set.of("producer")),
            Map.entry("queue.lease", Set.of("consumer")),
            Map.entry("queue.withdraw", Set.of("consumer")),
            Map.entry("queue.complete", Set.of("consumer")),
            Map.entry("queue.retry", Set.of("consumer")),
            Map.entry("queue.extend", Set.of("consumer")),
            Map.entry("queue.give_back", Set.of("consumer")),
            Map.entry("queue.stats", ALL),
            Map.entry("queues.info", ALL),
            Map.entry("queues.list", ALL),
            Map.entry("queue.clear", Set.of("admin")),
            Map.entry("queue.reload", Set.of("admin")),
            Map.entry("queues.create", Set.of("admin")),
            Map.entry("queues.update", Set.of("admin")),
            Map.entry("queues.delete", Set.of("admin")),
            Map.entry("storage/items.list", Set.of("admin")),
            Map.entry("storage/scheduled.list", Set.of("admin")),
            Map.entry("storage/items.import", Set.of("admin")),
            Map.entry("storage/items.delete", Set.of("admin")));

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

    /** The status of a call on a queue of its own, so that one that deletes it is in nobody's way. */
    private int status(String name, String operation) {
        String mine = operation.equals("queues.create") ? newName() : newShopQueue();
        return operation.startsWith("queues.l")
                ? as(name).post(operation, "namespace", "shop").status()
                : operation.equals("queues.create")
                        ? as(name).post(operation, "queue_name", mine, "namespace", "shop")
                                .status()
                        : as(name).post(operation, "queue_name", mine).status();
    }

    private String newShopQueue() {
        String name = newName();
        as("root").create(name, "namespace", "shop");
        return name;
    }

    @Test
    void every_route_of_queues_is_in_the_table() throws IOException {
        try (InputStream openApi = Principal.class.getResourceAsStream("/dev/leasehold/server/openapi.yaml")) {
            String text = new String(Objects.requireNonNull(openApi).readAllBytes(), StandardCharsets.UTF_8);
            Matcher paths = Pattern.compile("(?m)^  /v1/((?:queues?\\.|storage/)[^:]+):")
                    .matcher(text);
            assertThat(paths.results().map(path -> path.group(1)))
                    .containsExactlyInAnyOrderElementsOf(ALLOWED.keySet());
        }
    }

    /** A caller with the permission is told what is wrong with the request, or that it was done; the others are told nothing. */
    @Test
    void each_permission_opens_its_own_calls() {
        ALLOWED.forEach((operation, allowed) -> {
            for (String name : List.of("producer", "consumer", "admin", "stranger", "root")) {
                boolean isAllowed = allowed.contains(name) || name.equals("root");
                int status = status(name, operation);
                assertThat(status == 403).as(name + " " + operation).isNotEqualTo(isAllowed);
                assertThat(status).as(name + " " + operation).isIn(200, 400, 403);
            }
        });
    }

    @Test
    void a_producer_neither_reads_nor_imports_stored_items() {
        as("root").produce(queue, "secret");
        for (String operation : List.of("storage/items.list", "storage/scheduled.list", "storage/items.import")) {
            as("producer").post(operation, "queue_name", queue).isRefusal(403, "access denied");
            as("consumer").post(operation, "queue_name", queue).isRefusal(403, "access denied");
        }
        assertThat(as("admin").items(queue)).hasSize(1);
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
    void the_name_of_another_tenant_s_queue_is_refused_without_telling_that_it_exists() {
        for (int partitions : List.of(1, 0)) {
            as("stranger")
                    .post(
                            "queues.create",
                            "queue_name",
                            queue,
                            "namespace",
                            "elsewhere",
                            "lease_timeout",
                            "1m",
                            "expire_timeout",
                            "1h",
                            "requested_partitions",
                            partitions)
                    .isRefusal(
                            400,
                            partitions == 1
                                    ? "invalid queue; the name '" + queue + "' is not available"
                                    : "partitions is invalid; cannot be less than 1");
        }
        as("admin")
                .post("queues.create", "queue_name", queue, "namespace", "shop")
                .isRefusal(400, "invalid queue; '" + queue + "' already exists");
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
