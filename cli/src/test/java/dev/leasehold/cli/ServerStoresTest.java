package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.TestPostgres;
import dev.leasehold.testkit.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** A server process on databases of one's own: one that may not create tables, and one whose queues lie in two of them. */
@Timeout(180)
@Tag("slow")
class ServerStoresTest {
    private static final String FREE = "--address=127.0.0.1:0";
    private static final Pattern LEASED = Pattern.compile("\"partition\": *(\\d+)|\"id\": *\"([^\"]+)\"");

    @TempDir
    Path temporary;

    private final PGSimpleDataSource first = TestPostgres.newSchema();
    private final PGSimpleDataSource second = TestPostgres.newSchema();

    private static List<String> ask(PGSimpleDataSource schema, String sql) throws SQLException {
        try (Connection connection = schema.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            List<String> answer = new ArrayList<>();
            while (row.next()) {
                answer.add(row.getString(1));
            }
            return answer;
        }
    }

    /** Everything in a schema that a statement could have created. */
    private static List<String> contents(PGSimpleDataSource schema) throws SQLException {
        return ask(
                schema,
                "select relkind::text || ' ' || relname from pg_class where relnamespace = current_schema()::regnamespace"
                        + " order by 1");
    }

    private static void assertStops(ServerProcess server, String... words) throws InterruptedException {
        assertThat(server.end()).as(server.output()).isEqualTo(1);
        assertThat(server.output()).contains(words).doesNotContain("answers at").doesNotContain("\tat ");
    }

    private static ServerProcess started(String... options) {
        List<String> words = new ArrayList<>(List.of("server", FREE));
        words.addAll(List.of(options));
        return CommandProcess.server(Map.of(), words.toArray(String[]::new));
    }

    @Test
    void without_the_tables_no_migrate_stops_the_start_and_creates_nothing() throws Exception {
        try (ServerProcess server = started("--no-migrate", "--postgres-url=" + Places.url(first))) {
            assertStops(
                    server,
                    "leasehold: tables are missing",
                    first.getDatabaseName(),
                    "--no-migrate",
                    "leasehold migrate");
        }
        assertThat(contents(first)).isEmpty();
    }

    @Test
    void with_the_tables_no_migrate_starts_and_changes_nothing() throws Exception {
        Typed.command("migrate", "--url", Places.url(first));
        List<String> before = contents(first);
        try (ServerProcess server =
                started("--no-migrate", "--postgres-url=" + Places.url(first)).ready()) {
            assertThat(server.send("/health", "")).startsWith("200 ");
            assertThat(server.send("/v1/lock.acquire", "{\"key\": \"ledger:7\"}"))
                    .startsWith("200 ")
                    .contains("\"acquired\":true");
            assertThat(server.terminate()).as(server.output()).isZero();
        }
        assertThat(contents(first)).isEqualTo(before);
    }

    @Test
    void no_migrate_looks_into_every_store() throws Exception {
        Typed.command("migrate", "--url", Places.url(first));
        try (ServerProcess server = started("--no-migrate", "--config=" + twoStores())) {
            assertStops(server, "leasehold: tables are missing", "the store 'second'");
        }
        assertThat(contents(second)).isEmpty();
    }

    private Path twoStores() throws IOException {
        return Files.writeString(
                temporary.resolve("stores.yaml"), """
                partition-storage:
                  - name: first
                    driver: postgres
                    affinity: 1
                    config: { connection-string: '%s' }
                  - name: second
                    driver: postgres
                    affinity: 2
                    config: { connection-string: '%s' }
                queues:
                  - name: orders
                    requested-partitions: 3
                """.formatted(Places.url(first), Places.url(second)));
    }

    @Test
    void partitions_lie_where_affinity_puts_them_and_all_of_them_work() throws Exception {
        try (ServerProcess server = started("--config=" + twoStores()).ready()) {
            assertThat(server.output()).contains("first", "second");
            assertThat(ask(first, "select unnest(partition_stores) from queues where name = 'orders' order by 1"))
                    .containsExactly("first", "second", "second");
            for (int i = 0; i < 6; i++) {
                produce(server, "item " + i);
            }
            assertThat(server.send("/v1/lock.acquire", "{\"key\": \"ledger:7\"}"))
                    .contains("\"acquired\":true");
            assertThat(server.terminate()).as(server.output()).isZero();
        }
        assertThat(contents(second))
                .noneMatch(name -> name.contains("syncguard"))
                .filteredOn(name -> name.startsWith("r "))
                .as("a table for each partition, beside those of queues and of schema versions")
                .hasSize(4);
        assertThat(ask(first, "select key from syncguard_locks")).containsExactly("ledger:7");
        try (ServerProcess again =
                started("--no-migrate", "--config=" + twoStores()).ready()) {
            assertThat(leaseAll(again, 6)).containsExactly("0", "1", "2");
        }
    }

    private static void produce(ServerProcess server, String text) throws IOException, InterruptedException {
        assertThat(server.send(
                        "/v1/queue.produce",
                        "{\"queue_name\": \"orders\", \"request_timeout\": \"10s\", \"items\": [{\"utf8\": \"" + text
                                + "\"}]}"))
                .startsWith("200 ");
    }

    /** Leases until it has so many different items, and returns the partitions that they came from. */
    private static SortedSet<String> leaseAll(ServerProcess server, int wanted)
            throws IOException, InterruptedException {
        TreeSet<String> ids = new TreeSet<>();
        SortedSet<String> partitions = new TreeSet<>();
        while (ids.size() < wanted) {
            String answer = server.send(
                    "/v1/queue.lease",
                    "{\"queue_name\": \"orders\", \"client_id\": \"c\", \"batch_size\": 10, \"request_timeout\":"
                            + " \"10s\"}");
            assertThat(answer).startsWith("200 ");
            String partition = "0";
            for (Matcher found = LEASED.matcher(answer); found.find(); ) {
                if (found.group(1) != null) {
                    partition = found.group(1);
                } else {
                    ids.add(found.group(2));
                }
            }
            partitions.add(partition);
        }
        return partitions;
    }

    @Test
    void the_pool_of_each_store_and_what_travels_together_are_in_the_metrics() throws Exception {
        try (ServerProcess server = started("--config=" + twoStores()).ready()) {
            server.send("/v1/lock.acquire", "{\"key\": \"ledger:7\"}");
            produce(server, "counted");
            assertThat(server.send("/metrics", ""))
                    .contains("hikaricp_connections_max{pool=\"first\"} 10.0")
                    .contains("hikaricp_connections_max{pool=\"second\"} 10.0")
                    .containsPattern("leasehold_group_calls_total\\{engine=\"locks\"} [1-9]")
                    .containsPattern("leasehold_group_calls_total\\{engine=\"queues\"} [1-9]");
        }
    }
}
