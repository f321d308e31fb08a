package dev.leasehold.server.http;

import static dev.leasehold.testkit.TestWaits.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.memory.MemoryQueues;
import dev.leasehold.postgres.lock.LockSchema;
import dev.leasehold.postgres.lock.PostgresLocks;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.server.ServerOptions;
import dev.leasehold.server.observe.Metrics;
import dev.leasehold.testkit.TestPostgres;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class DatabaseConnectionTest {
    private static final String HALF =
            "POST /v1/lock.acquire HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"key\":";

    @Test
    void slow_clients_hold_no_database_connection() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(TestPostgres.newSchema());
        config.setMaximumPoolSize(4);
        Metrics metrics = new Metrics();
        config.setMetricRegistry(metrics.registry());
        try (HikariDataSource pool = new HikariDataSource(config)) {
            LockSchema.create(pool);
            PostgresLocks locks = PostgresLocks.create(pool);
            try (LeaseholdServer server = LeaseholdServer.start(
                    ServerOptions.DEFAULT.address("127.0.0.1", 0), locks, MemoryQueues.create(), metrics)) {
                List<RawClient> slow = Stream.generate(() -> new RawClient(server.port()).send(HALF))
                        .limit(50)
                        .toList();
                await().until(() -> scrape(server).contains("leasehold_requests_active 51.0"));

                assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
                try (RawClient decent = new RawClient(server.port())) {
                    decent.send(RawClient.post("/v1/lock.acquire", "{\"key\": \"decent\"}"));
                    assertThat(decent.answer().body()).contains("\"acquired\":true");
                }
                assertThat(scrape(server))
                        .contains("hikaricp_connections_max")
                        .containsPattern("leasehold_group_calls_total\\{engine=\"locks\"} [1-9]");
                slow.forEach(RawClient::close);
            }
        }
    }

    private static String scrape(LeaseholdServer server) {
        try (RawClient client = new RawClient(server.port())) {
            return client.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .answer()
                    .body();
        }
    }
}
