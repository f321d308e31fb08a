package dev.leasehold.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.memory.MemoryLocks;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.ServerOptions;
import dev.leasehold.server.auth.Access;
import dev.leasehold.server.auth.OpenAccess;
import dev.leasehold.server.auth.Principal;
import dev.leasehold.server.http.RawClient.Answer;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server without authentication is not there for the web pages that its user looks at. */
class CrossSiteTest {
    private static final String QUEUE = "{\"queue_name\":\"kept\"}";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host: localhost:PORT\r\nOrigin: https://evil.example",
                "Host: localhost:PORT\r\nOrigin: http://localhost:3000",
                "Host: localhost:PORT\r\nOrigin: http://localhost",
                "Host: localhost:PORT\r\nOrigin: https://localhost:PORT",
                "Host: localhost:PORT\r\nOrigin: null",
                "Host: localhost:PORT\r\nOrigin: http://localhost:PORT\r\nOrigin: https://evil.example",
                "Host: localhost:PORT\r\nSec-Fetch-Site: cross-site",
                "Host: localhost:PORT\r\nSec-Fetch-Site: same-site",
                "Host: evil.example",
                "Host: evil.example:PORT\r\nOrigin: http://evil.example:PORT\r\nSec-Fetch-Site: same-origin",
                "Host: 127.0.0.1.evil.example:PORT",
                "Host: localhost.evil.example:PORT",
                "Host: 10.0.0.1:PORT",
            })
    void an_open_server_refuses_what_a_page_of_another_site_sends(String headers) {
        try (TestServer server = new TestServer()) {
            create(server);

            for (String type : new String[] {"text/plain", "application/x-www-form-urlencoded", "application/json"}) {
                assertRefused(server.ask(delete(server.port(), headers, "Content-Type: " + type + "\r\n")));
            }
            assertRefused(server.ask(delete(server.port(), headers, "")));
            assertRefused(server.ask(post("/v1/lock.is_locked", server.port(), headers, "", "{\"key\":\"a\"}")));
            assertRefused(server.ask(post(
                    "/v1/space/lock/lock-1/acquire",
                    server.port(),
                    headers,
                    "Content-Type: text/plain\r\n",
                    "{\"instanceId\":\"inst-1\",\"leaseDuration\":60}")));
            assertRefused(server.ask("GET /metrics HTTP/1.1\r\n" + at(server.port(), headers) + "\r\n\r\n"));

            assertThat(server.post("/v1/queue.stats", QUEUE).status()).isEqualTo(200);
        }
    }

    private static void assertRefused(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(403);
        assertThat(answer.body()).contains("authentication");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host: localhost:PORT",
                "Host: LOCALHOST:PORT",
                "Host: app.localhost:PORT",
                "Host: 127.0.0.1",
                "Host: 127.8.9.1:PORT",
                "Host: [::1]:PORT",
                "Host: localhost:PORT\r\nOrigin: http://localhost:PORT\r\nSec-Fetch-Site: same-origin",
                "Host: localhost:PORT\r\nSec-Fetch-Site: none",
            })
    void an_open_server_serves_its_own_machine(String headers) {
        try (TestServer server = new TestServer()) {
            create(server);

            assertThat(server.ask(delete(server.port(), headers, "Content-Type: application/json\r\n"))
                            .status())
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Origin: https://evil.example", "Sec-Fetch-Site: cross-site", "Origin: null"})
    void a_server_that_is_open_to_the_network_has_a_host_name_and_refuses_other_sites(String header) {
        try (LeaseholdServer server = start(OpenAccess.DISABLED)) {
            String host = "Host: leasehold.internal:PORT";
            assertThat(status(server, host + "\r\n" + header)).isEqualTo(403);
            assertThat(status(server, host + "\r\nOrigin: http://leasehold.internal:PORT"))
                    .isEqualTo(200);
            assertThat(status(server, host)).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Origin: https://app.example", "Sec-Fetch-Site: cross-site"})
    void with_authentication_the_credential_decides(String header) {
        Access known = authorization -> CompletableFuture.completedFuture(Principal.ANONYMOUS);
        try (LeaseholdServer server = start(known)) {
            assertThat(status(server, "Host: leasehold.internal\r\n" + header)).isEqualTo(200);
        }
    }

    private static LeaseholdServer start(Access access) {
        return LeaseholdServer.start(
                ServerOptions.DEFAULT.address("127.0.0.1", 0).access(access),
                MemoryLocks.create(),
                MemoryQueues.create());
    }

    private static int status(LeaseholdServer server, String headers) {
        try (RawClient client = new RawClient(server.port())) {
            return client.send(post(
                            "/v1/lock.is_locked",
                            server.port(),
                            headers,
                            "Content-Type: application/json\r\n",
                            "{\"key\":\"a\"}"))
                    .answer()
                    .status();
        }
    }

    private static void create(TestServer server) {
        String queue = "{\"queue_name\":\"kept\",\"lease_timeout\":\"1m\",\"expire_timeout\":\"1h\","
                + "\"requested_partitions\":1}";
        assertThat(server.post("/v1/queues.create", queue).status()).isEqualTo(200);
    }

    private static String delete(int port, String headers, String type) {
        return post("/v1/queues.delete", port, headers, type, "{\"queue_name\":\"kept\",\"force\":true}");
    }

    private static String post(String path, int port, String headers, String type, String body) {
        return "POST " + path + " HTTP/1.1\r\n" + at(port, headers) + "\r\n" + type + "Content-Length: " + body.length()
                + "\r\n\r\n" + body;
    }

    private static String at(int port, String headers) {
        return headers.replace("PORT", Integer.toString(port));
    }
}
