package dev.leasehold.server.namespaced;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.server.OneServer;
import dev.leasehold.server.auth.Grant;
import dev.leasehold.server.auth.Permission;
import dev.leasehold.server.auth.Principal;
import dev.leasehold.server.auth.UnauthorizedException;
import java.net.http.HttpResponse;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Who may do what to namespaced locks. */
class PermissionsTest {
    private static final String BODY = "{\"instanceId\":\"inst-1\",\"leaseDuration\":60}";
    private static OneServer server;

    @BeforeAll
    static void start() {
        server = new OneServer(options -> options.access(PermissionsTest::authenticate));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** The token is the name; "reader" may only read, and nobody may do anything outside of the namespace "ours". */
    private static CompletableFuture<Principal> authenticate(@Nullable String authorization) {
        if (authorization == null || !authorization.startsWith("Bearer ")) {
            return CompletableFuture.failedFuture(new UnauthorizedException("missing authorization header"));
        }
        String name = authorization.substring("Bearer ".length());
        EnumSet<Permission> permissions = name.equals("reader")
                ? EnumSet.of(Permission.LOCKS_READ)
                : EnumSet.of(Permission.LOCKS_READ, Permission.LOCKS_WRITE);
        return CompletableFuture.completedFuture(new Principal(name, true, List.of(new Grant("ours", permissions))));
    }

    @Test
    void without_a_credential_nothing_is_told() {
        for (HttpResponse<String> answer : List.of(
                server.get("/v1/ours/lock/lock-1"),
                server.post("/v1/ours/lock/lock-1/acquire", BODY),
                server.post("/v1/ours/lock/lock-1/acquire", "{bad"))) {
            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
            assertThat(answer.headers().firstValue("X-Frame-Options")).contains("DENY");
            assertThat(answer.body()).isEmpty();
        }
    }

    @Test
    void without_the_grant_it_is_403() {
        assertForbidden(server.get("/v1/theirs/lock/lock-1", "Authorization", "Bearer alice"));
        assertForbidden(server.post("/v1/theirs/lock/lock-1/acquire", BODY, "Authorization", "Bearer alice"));
        assertForbidden(server.post("/v1/ours/lock/lock-1/acquire", BODY, "Authorization", "Bearer reader"));
        assertThat(server.get("/v1/ours/lock/lock-1", "Authorization", "Bearer reader")
                        .statusCode())
                .isEqualTo(200);
    }

    private static void assertForbidden(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(Answers.withoutErrorId(answer.body()))
                .isEqualTo("{\"message\":\"access denied\",\"errorId\":\"ID\"}");
    }

    @Test
    void another_subject_with_the_same_instance_id_is_somebody_else() {
        String path = "/v1/ours/lock/lock-2";
        assertThat(server.post(path + "/acquire", BODY, "Authorization", "Bearer alice")
                        .body())
                .contains("\"owner\":\"alice\"");
        assertThat(server.post(path + "/acquire", BODY, "Authorization", "Bearer bobby")
                        .statusCode())
                .isEqualTo(423);
        assertThat(server.get(path, "Authorization", "Bearer bobby").body()).contains("\"owner\":\"alice\"");
    }

    @Test
    void paths_that_nobody_knows_and_pages_need_no_credential() {
        assertThat(server.get("/nowhere").statusCode()).isEqualTo(404);
        assertThat(server.get("/").statusCode()).isEqualTo(200);
        assertThat(server.get("/actuator/health").statusCode()).isEqualTo(200);
    }
}
