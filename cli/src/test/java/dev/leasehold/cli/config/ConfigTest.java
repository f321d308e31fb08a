package dev.leasehold.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.leasehold.cli.config.Storage.Kind;
import dev.leasehold.queue.QueueConfig;
import dev.leasehold.server.auth.Grant;
import dev.leasehold.server.auth.JwtOptions;
import dev.leasehold.server.auth.Permission;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigTest {
    @TempDir
    Path directory;

    private final Map<String, String> environment = new HashMap<>(Map.of("HOME", "/home/ann"));

    private ConfigLoader loader() {
        return new ConfigLoader(environment);
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private static String sourceOf(Config config, String key) {
        return config.settings().find(key).orElseThrow().source();
    }

    @Test
    void with_nothing_said_it_is_the_embedded_database_on_loopback() {
        Config config = loader().load();
        assertThat(config.address()).hasToString("127.0.0.1:2319");
        assertThat(config.storage().kind()).isEqualTo(Kind.EMBEDDED);
        assertThat(config.storage().dataDir()).isEqualTo(Path.of("/home/ann/.local/share/leasehold"));
        assertThat(config.storage().poolSize()).isEqualTo(10);
        assertThat(config.storage().migrate()).isTrue();
        assertThat(config.authentication().isUnconfigured()).isTrue();
        environment.put("XDG_DATA_HOME", "/data");
        assertThat(loader().load().storage().dataDir()).isEqualTo(Path.of("/data/leasehold"));
    }

    @Test
    void an_option_beats_the_environment_which_beats_the_file_which_beats_the_default() throws IOException {
        Path file = file("a.yaml", "logging:\n  level: error\naddress: 127.0.0.1:1\n");
        assertThat(loader().load().logging().level()).isEqualTo("info");
        assertThat(loader().file(file).load().logging().level()).isEqualTo("error");
        assertThat(sourceOf(loader().file(file).load(), "logging.level")).isEqualTo("line 2 of " + file);
        environment.put("QUERATOR_LOG_LEVEL", "warn");
        assertThat(loader().file(file).load().logging().level()).isEqualTo("warn");
        assertThat(sourceOf(loader().file(file).load(), "logging.level"))
                .isEqualTo("environment variable QUERATOR_LOG_LEVEL");
        Config config = loader().file(file)
                .option("logging.level", "--log-level", "debug")
                .load();
        assertThat(config.logging().level()).isEqualTo("debug");
        assertThat(sourceOf(config, "logging.level")).isEqualTo("option --log-level");
        assertThat(config.address()).hasToString("127.0.0.1:1");
    }

    @Test
    void the_environment_can_name_the_file() throws IOException {
        environment.put(
                "QUERATOR_CONFIG", file("q.yaml", "address: localhost:7\n").toString());
        assertThat(loader().load().address().port()).isEqualTo(7);
        environment.put(
                "LEASEHOLD_CONFIG", file("l.yaml", "address: localhost:8\n").toString());
        assertThat(loader().load().address().port()).isEqualTo(8);
        assertThat(loader().file(file("o.yaml", "address: localhost:9\n"))
                        .load()
                        .address()
                        .port())
                .isEqualTo(9);
    }

    @Test
    void nested_dotted_and_properties_say_the_same() throws IOException {
        for (Path file : new Path[] {
            file("nested.yaml", "locker:\n  postgres:\n    host: db\n    port: 5433\napp:\n  env: test\n"),
            file("dotted.yaml", "locker.postgres.host: db\nlocker.postgres.port: 5433\napp.env: test\n"),
            file("app.properties", """
                    locker.postgres.host=db
                    locker.postgres.port = 5433
                    app.env=test
                    spring.profiles.active=postgres
                    """)
        }) {
            Config config = loader().file(file).load();
            assertThat(config.storage().kind()).isEqualTo(Kind.POSTGRES);
            assertThat(config.storage().stores().get(0).url().jdbcUrl())
                    .isEqualTo("jdbc:postgresql://db:5433/lockservice");
            assertThat(config.labels()).isEqualTo(Map.of("env", "test"));
        }
    }

    @Test
    void every_locker_setting_works_as_an_environment_variable() {
        environment.putAll(Map.of(
                "SPRING_PROFILES_ACTIVE", "postgres",
                "LOCKER_POSTGRES_HOST", "mydb.example.com",
                "LOCKER_POSTGRES_PORT", "5433",
                "LOCKER_POSTGRES_DATABASE", "locks",
                "LOCKER_POSTGRES_SCHEMA", "app",
                "LOCKER_POSTGRES_USERNAME", "lockuser",
                "LOCKER_POSTGRES_PASSWORD", "secretpassword",
                "LOCKER_POSTGRES_SSL", "true",
                "LOCKER_POSTGRES_CONNECTIONPOOLSIZE", "20",
                "LOCKER_POSTGRES_TABLENAME", "my_locks"));
        environment.put("AUTHENTICATION_DISABLED", "true");
        environment.put("LEASEHOLD_ADDRESS", ":8080");
        Config config = loader().load();
        Storage.Store store = config.storage().stores().get(0);
        assertThat(store.url())
                .isEqualTo(new PostgresUrl(
                        "mydb.example.com:5433/locks",
                        "lockuser",
                        "secretpassword",
                        Map.of("ssl", "true", "currentSchema", "app")));
        assertThat(store.poolSize()).isEqualTo(20);
        assertThat(config.storage().lockView()).isEqualTo("my_locks");
        assertThat(config.authentication().isDisabled()).isTrue();
        assertThat(config.address()).hasToString("0.0.0.0:8080");
    }

    @Test
    void a_password_alone_means_the_documented_defaults() {
        environment.put("LOCKER_POSTGRES_PASSWORD", "s");
        assertThat(loader().load().storage().stores().get(0).url())
                .isEqualTo(new PostgresUrl("localhost:5432/lockservice", "postgres", "s", Map.of()));
        assertThat(loader().load().storage().lockView()).isEqualTo("locks");
    }

    @Test
    void pgpassword_is_for_a_url_without_one_and_asks_for_nothing_itself() {
        environment.put("PGPASSWORD", "fromenv");
        assertThat(loader().load().storage().kind()).isEqualTo(Kind.EMBEDDED);
        Storage storage = loader().option("postgres-url", "--postgres-url", "postgres://ann@db/app")
                .load()
                .storage();
        assertThat(storage.stores().get(0).url().password()).isEqualTo("fromenv");
        storage = loader().option("postgres-url", "--postgres-url", "postgres://ann:own@db/app")
                .load()
                .storage();
        assertThat(storage.stores().get(0).url().password()).isEqualTo("own");
    }

    @Test
    void querators_file_is_understood() throws IOException {
        Path file = file("querator.yaml", """
                address: localhost:2319
                logging:
                  handler: json
                  level: warn
                queue-storage:
                  driver: Postgres
                  name: records
                  config:
                    connection-string: postgres://q:p@one/querator
                    max-conns: 12
                partition-storage:
                  - name: pg-0
                    driver: postgres
                    affinity: 3
                    config:
                      connection-string: postgres://q:p@two/querator?sslmode=require
                      max-conns: 5
                  - name: pg-1
                    driver: postgres
                    affinity: 1
                    config:
                      connection-string: postgres://q:p@three/querator
                auth-backend:
                  driver: none
                queues:
                  - name: orders
                    dead-queue: orders-dead
                    lease-timeout: 1m30s
                    expire-timeout: 2h
                    max-attempts: 5
                    reference: shop
                    requested-partitions: 4
                  - name: orders-dead
                """);
        Config config = loader().file(file).load();
        assertThat(config.logging()).isEqualTo(new Config.Logging("json", "warn"));
        assertThat(config.storage().stores())
                .extracting(Storage.Store::name, Storage.Store::affinity, Storage.Store::poolSize)
                .containsExactly(tuple("records", 0, 12), tuple("pg-0", 3, 5), tuple("pg-1", 1, 10));
        assertThat(config.queues())
                .containsExactly(
                        QueueConfig.named("orders")
                                .deadQueue("orders-dead")
                                .leaseTimeout(Duration.ofSeconds(90))
                                .expireTimeout(Duration.ofHours(2))
                                .maxAttempts(5)
                                .reference("shop")
                                .partitions(4),
                        QueueConfig.named("orders-dead"));
    }

    @Test
    void memory_drivers_ask_for_memory() throws IOException {
        Path file = file(
                "memory.yaml",
                "queue-storage: {driver: Memory}\npartition-storage: [{name: mem-0, driver: memory, affinity: 1}]\n");
        assertThat(loader().file(file).load().storage().kind()).isEqualTo(Kind.MEMORY);
    }

    @Test
    void keys_and_tokens_are_read() throws IOException {
        String sha256 = "ABCDEF0123456789".repeat(4);
        Path file = file("auth.yaml", """
                address: 0.0.0.0:2319
                auth:
                  keys:
                    - name: worker
                      sha256: %s
                      grants:
                        - namespace: billing
                          permissions: [locks.read, queues.consume]
                        - namespace: "*"
                          permissions: [locks.write]
                jwt.issuer: https://id.example.com/
                jwt.audience: leasehold
                jwt.grants:
                  - namespace: shop
                    permissions: [locks.read]
                """.formatted(sha256));
        Authentication authentication = loader().file(file).load().authentication();
        Authentication.Key key = authentication.keys().get(0);
        assertThat(key.sha256()).isEqualTo(sha256.toLowerCase(Locale.ROOT));
        assertThat(key.grants().get(0).permissions())
                .containsExactlyInAnyOrder(Permission.LOCKS_READ, Permission.QUEUES_CONSUME);
        assertThat(key.grants().get(1).namespace()).isEqualTo("*");
        assertThat(authentication.jwt())
                .isEqualTo(new Authentication.Jwt(
                        "https://id.example.com/",
                        null,
                        "leasehold",
                        List.of(new Grant("shop", Set.of(Permission.LOCKS_READ)))));
    }

    @Test
    void tokens_allow_everything_unless_grants_say_less_and_an_empty_list_says_nothing() throws IOException {
        String issuer = "jwt.issuer: https://id.example.com\n";
        assertThat(jwt(issuer).grants()).isEqualTo(JwtOptions.ALL);
        assertThat(jwt(issuer + "jwt.grants: []\n").grants()).isEmpty();
        String keys = "jwt.jwks: https://id.example.com/keys\n";
        assertThat(jwt(keys + "jwt.audience: leasehold\n").audience()).isEqualTo("leasehold");
        assertThat(jwt(keys + "jwt.any-audience: true\n").audience()).isNull();
    }

    private Authentication.Jwt jwt(String yaml) throws IOException {
        return Objects.requireNonNull(
                loader().file(file("jwt.yaml", yaml)).load().authentication().jwt());
    }

    @Test
    void the_columns_of_the_report_stand_under_one_another() throws IOException {
        Path file = file(
                "a.yaml",
                "queue-storage.config.connection-string: postgres://a-rather-long-name@db.example.com/app?sslmode=require\n");
        List<String> lines = ConfigReport.lines(loader().file(file).load());
        assertThat(lines.stream()
                        .filter(line -> !line.contains("connection-string"))
                        .mapToInt(line -> line.indexOf("  # ")))
                .as(String.join("\n", lines))
                .containsOnly(lines.get(0).indexOf("  # "));
        assertThat(lines.stream()
                        .mapToInt(line -> line.replaceFirst("^\\S+ +", "").length() - line.length()))
                .as("where values begin")
                .hasSizeGreaterThan(5)
                .containsOnly(lines.get(0).replaceFirst("^\\S+ +", "").length()
                        - lines.get(0).length());
    }

    @Test
    void the_report_names_every_source_and_no_secret() throws IOException {
        String sha256 = "0123456789abcdef".repeat(4);
        Path file = file(
                "a.yaml",
                "auth:\n  keys:\n  - name: k\n    sha256: " + sha256
                        + "\n    grants: [{namespace: a, permissions: [locks.read]}]\n");
        environment.put("LEASEHOLD_POSTGRES_URL", "postgres://ann:hunter2@db/app?password=hunter2&sslpassword=hunter2");
        environment.put("PGPASSWORD", "hunter2");
        Config config = loader().file(file).load();
        String report = String.join("\n", ConfigReport.lines(config));
        assertThat(report)
                .doesNotContain("hunter2")
                .doesNotContain(sha256)
                .containsPattern("postgres-url +postgres://ann:\\*\\*\\*@db:5432/app\\?sslpassword=\\*\\*\\* +"
                        + "# environment variable LEASEHOLD_POSTGRES_URL")
                .containsPattern("auth\\.keys\\[0]\\.sha256 +\\*\\*\\* +# line 4 of ")
                .containsPattern("store +postgres +# follows from postgres-url")
                .containsPattern("logging\\.level +info +# default");
        assertThat(config.toString()).doesNotContain("hunter2");
    }
}
