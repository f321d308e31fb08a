package dev.leasehold.server.lock;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.ServerOptions;
import dev.leasehold.server.auth.Access;
import dev.leasehold.server.auth.Grant;
import dev.leasehold.server.auth.Permission;
import dev.leasehold.server.auth.Principal;
import dev.leasehold.server.auth.UnauthorizedException;
import dev.leasehold.testkit.TestWaits;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Permissions in the native lock API. */
@Timeout(TestWaits.TEST_LIMIT)
class LockAccessTest {
    private static final Map<String, Principal> KNOWN = Map.of(
            "Bearer root", who("root", Grant.ALL, EnumSet.allOf(Permission.class)),
            "Bearer reader", who("reader", "shop", Set.of(Permission.LOCKS_READ)),
            "Bearer writer", who("writer", "shop", Set.of(Permission.LOCKS_READ, Permission.LOCKS_WRITE)),
            "Bearer operator", who("operator", "shop", Set.of(Permission.LOCKS_READ, Permission.LOCKS_ADMIN)),
            "Bearer admin", who("admin", "shop", Set.of(Permission.LOCKS_ADMIN)));

    private static final Access ACCESS = header -> {
        Principal known = header == null ? null : KNOWN.get(header);
        return known != null
                ? CompletableFuture.completedFuture(known)
                : CompletableFuture.failedFuture(new UnauthorizedException("api key does not exist"));
    };

    private final LeaseholdServer server = LeaseholdServer.start(
            ServerOptions.DEFAULT.address("127.0.0.1", 0).access(ACCESS), MemoryLocks.create(), MemoryQueues.create());

    private static Principal who(String name, String namespace, Set<Permission> permissions) {
        return new Principal(name, true, List.of(new Grant(namespace, permissions)));
    }

    @AfterEach
    void close() {
        server.close();
    }

    private LockClient as(String name) {
        return new LockClient(server.port(), name);
    }

    @Test
    void nobody_comes_in_without_a_credential() {
        LockClient.Answer refused = new LockClient(server.port()).post("acquire", "key", "shop:1");
        refused.isRefusal(401, "AuthFailed", "api key does not exist");
        assertThat(refused.response().headers().firstValue("WWW-Authenticate")).contains("Bearer");
    }

    @Test
    void a_grant_opens_its_namespace_and_no_other() {
        as("writer").post("acquire", "key", "shop:1").ok();
        for (String key : List.of("bank:1", "plain", "shopping:1")) {
            as("writer").post("acquire", "key", key).isRefusal(403, "AuthFailed", "access denied");
            as("writer").post("is_locked", "key", key).isRefusal(403, "AuthFailed", "access denied");
        }
        as("root").post("acquire", "key", "plain").ok();
    }

    @Test
    void who_may_read_may_not_write() {
        as("reader").post("lookup", "key", "shop:1").ok();
        as("reader").post("acquire", "key", "shop:1").isRefusal(403, "AuthFailed", "access denied");
        as("reader").post("release", "lock_id", "AAAAAAAAAAAAAAAAAAAAAA").isRefusal(403, "AuthFailed", "access denied");
    }

    /** Who names itself as a holder is given the holder's lock id. */
    @Test
    void only_operators_are_shown_the_instance_that_holds_a_lock() {
        as("writer").post("acquire", "key", "shop:1", "instance_id", "a").ok();
        JsonNode read = as("reader").post("lookup", "key", "shop:1").ok().path("lock");
        assertThat(read.path("owner").asText()).isEqualTo("writer");
        assertThat(read.has("instance_id")).isFalse();
        JsonNode seen = as("operator").post("lookup", "key", "shop:1").ok().path("lock");
        assertThat(seen.path("instance_id").asText()).isEqualTo("a");
    }

    @Test
    void the_owner_is_whoever_the_credential_names() {
        as("writer")
                .post("acquire", "key", "shop:1", "owner", "somebody", "instance_id", "a")
                .isRefusal(403, "AuthFailed", "the owner is the subject of the credential; leave it out");
        as("writer").post("acquire", "key", "shop:1", "instance_id", "a").ok();
        assertThat(as("admin")
                        .post("list", "prefix", "shop:")
                        .ok()
                        .path("locks")
                        .get(0)
                        .path("owner")
                        .asText())
                .isEqualTo("writer");
    }

    @Test
    void holders_renew_and_release_in_their_namespace_as_whoever_the_credential_names() {
        Object[] mine = {"key", "shop:1", "instance_id", "a"};
        Object[] more = {"key", "shop:1", "instance_id", "a", "more", "1s"};
        as("writer").post("acquire", mine).ok();
        as("reader").post("renew_held", more).isRefusal(403, "AuthFailed", "access denied");
        as("reader").post("release_held", mine).isRefusal(403, "AuthFailed", "access denied");
        as("writer")
                .post("release_held", "key", "bank:1", "instance_id", "a")
                .isRefusal(403, "AuthFailed", "access denied");
        as("writer")
                .post("release_held", "key", "shop:1", "owner", "root", "instance_id", "a")
                .isRefusal(403, "AuthFailed", "the owner is the subject of the credential; leave it out");
        as("writer").post("release_held", "key", "shop:1").isRefusal(400, "InvalidArgument", "instance_id is required");
        assertThat(as("root").post("renew_held", more).text()).isEqualTo("{\"renewed\":false}");
        assertThat(as("writer").post("renew_held", more).ok().path("renewed").asBoolean())
                .isTrue();
        assertThat(as("writer").post("release_held", mine).text()).isEqualTo("{\"released\":true}");
    }

    @Test
    void operators_need_the_permission_in_the_namespace_that_they_ask_about() {
        as("writer").post("acquire", "key", "shop:1").ok();
        as("admin").post("list", "prefix", "shop:").ok();
        as("writer").post("list", "prefix", "shop:").isRefusal(403, "AuthFailed", "access denied");
        as("admin").post("list").isRefusal(403, "AuthFailed", "access denied");
        as("admin").post("list", "prefix", "shop").isRefusal(403, "AuthFailed", "access denied");
        as("root").post("list").ok();
        as("writer")
                .post("force_release", "key", "shop:1", "fence", "000000000000001", "reason", "mine")
                .isRefusal(403, "AuthFailed", "access denied");
        assertThat(as("admin")
                        .post("force_release", "key", "shop:1", "fence", "000000000000001", "reason", "stuck")
                        .ok()
                        .path("released")
                        .asBoolean())
                .isTrue();
    }
}
