package dev.leasehold.cli.config;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigErrorsTest {
    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void nameFile() {
        file = directory.resolve("l.yaml");
    }

    private String yaml(String text) throws IOException {
        Files.writeString(file, text);
        return refusal(new ConfigLoader(Map.of()).file(file));
    }

    private static String environment(Map<String, String> variables) {
        return refusal(new ConfigLoader(variables));
    }

    private static String refusal(ConfigLoader loader) {
        ConfigException e = catchThrowableOfType(ConfigException.class, loader::load);
        assertThat(e).as("it was not refused").isNotNull();
        return requireNonNull(e.getMessage());
    }

    private String at(int line) {
        return " (line " + line + " of " + file + ")";
    }

    @Test
    void an_unknown_setting_is_named_with_its_line_and_its_nearest_neighbour() throws IOException {
        assertThat(yaml("adress: a:1\n")).isEqualTo("there is no setting adress" + at(1) + "; did you mean 'address'?");
        assertThat(yaml("\nlogging:\n  levle: info\n"))
                .isEqualTo("there is no setting logging.levle" + at(3) + "; did you mean 'logging.level'?");
        assertThat(yaml("locker.postgres.connection-pool-size: 9\n"))
                .isEqualTo("there is no setting locker.postgres.connection-pool-size" + at(1)
                        + "; did you mean 'locker.postgres.connectionPoolSize'?");
        assertThat(yaml("queues:\n- name: a\n  max-attempt: 3\n"))
                .isEqualTo("there is no setting queues[0].max-attempt" + at(3)
                        + "; did you mean 'queues[].max-attempts'?");
        assertThat(yaml("something-else: 1\n")).isEqualTo("there is no setting something-else" + at(1));
        assertThat(yaml("locker.etcd.endpoints: http://a\n"))
                .isEqualTo("there is no setting locker.etcd.endpoints" + at(1)
                        + ": locks lie in PostgreSQL here; use locker.postgres.* or postgres-url");
        assertThat(environment(Map.of("LOCKER_POSTGRES_PASWORD", "hunter2")))
                .isEqualTo("there is no setting for the environment variable LOCKER_POSTGRES_PASWORD; did you mean"
                        + " 'LOCKER_POSTGRES_PASSWORD'?");
        assertThat(environment(Map.of("LEASEHOLD_ADRESS", "a:1")))
                .isEqualTo("there is no setting for the environment variable LEASEHOLD_ADRESS; did you mean"
                        + " 'LEASEHOLD_ADDRESS'?");
    }

    @Test
    void variables_that_are_not_ours_are_left_alone() {
        Map<String, String> variables = new HashMap<>(Map.of(
                "LEASEHOLD_FENCE", "000000000000001",
                "LEASEHOLD_LOCK_ID", "x",
                "LEASEHOLD_URL", "http://localhost:2319",
                "LEASEHOLD_JAVA_OPTS", "-Xmx1g",
                "LEASEHOLD_SERVICE_HOST", "10.0.0.1",
                "LEASEHOLD_PORT_2319_TCP", "tcp://10.0.0.1:2319",
                "LEASEHOLD_SERVICE_PORT", "2319"));
        variables.put("LOCKER_POSTGRES_HOST", "");
        assertThat(new ConfigLoader(variables).load().storage().kind()).isEqualTo(Storage.Kind.EMBEDDED);
    }

    @Test
    void a_wrong_value_is_named_with_what_was_expected() throws IOException {
        assertThat(yaml("address: nowhere\n"))
                .isEqualTo("address" + at(1)
                        + " must be HOST:PORT, for example 127.0.0.1:2319 or [::1]:2319, got 'nowhere'");
        assertThat(yaml("address: no.such.host.invalid:1\n"))
                .isEqualTo("address" + at(1) + " must name a host that is known here, got 'no.such.host.invalid:1'");
        assertThat(yaml("limits:\n  connections: many\n"))
                .isEqualTo("limits.connections" + at(2) + " must be a whole number from 1 to 10000000, got 'many'");
        assertThat(yaml("limits.idle-time: 5\n"))
                .isEqualTo("limits.idle-time" + at(1) + " must be a duration such as 30s or 5m, got '5'");
        assertThat(yaml("limits.idle-time: 0s\n"))
                .isEqualTo("limits.idle-time" + at(1) + " must be longer than zero, got '0s'");
        assertThat(yaml("authentication.disabled: maybe\n"))
                .isEqualTo("authentication.disabled" + at(1) + " must be one of true, false, got 'maybe'");
        assertThat(yaml("store: redis\n"))
                .isEqualTo("store" + at(1) + " must be one of embedded, postgres, memory, got 'redis'");
        assertThat(yaml("logging.handler: xml\n"))
                .isEqualTo("logging.handler" + at(1) + ": invalid handler; 'xml' is not one of (color, text, json)");
        assertThat(yaml("logging.level: loud\n"))
                .isEqualTo("logging.level" + at(1) + " must be one of debug, info, warn, error, got 'loud'");
        assertThat(yaml("tls.certificate: /no/such.pem\n"))
                .isEqualTo("tls.certificate" + at(1) + " must be a PEM file that can be read, got '/no/such.pem'");
        assertThat(yaml("tls.key: " + directory.resolve("l.yaml") + "\n"))
                .isEqualTo("tls.key" + at(1) + " needs tls.certificate beside it");
    }

    @Test
    void a_file_that_cannot_be_read_is_said() throws IOException {
        Path missing = directory.resolve("missing.yaml");
        assertThat(refusal(new ConfigLoader(Map.of()).file(missing)))
                .isEqualTo("there is no configuration file '" + missing + "'");
        assertThat(yaml("address: [\n")).startsWith("line 1 of " + file + " is not YAML: ");
        assertThat(yaml("just text\n"))
                .isEqualTo("line 1 of " + file + " must begin with a setting such as 'address: 127.0.0.1:2319'");
        assertThat(yaml("store: memory\n---\nstore: memory\n"))
                .isEqualTo(file + " holds more than one document; one was expected");
        assertThat(yaml("app.env: a\napp:\n  env: b\n"))
                .isEqualTo("app.env is set twice: in line 1 of " + file + " and in line 3 of " + file);
        assertThat(yaml("queues: 5\n")).isEqualTo("queues" + at(1) + " must be a list");
        assertThat(yaml("logging: debug\n"))
                .isEqualTo("logging" + at(1) + " must be a mapping of settings, not a plain value");
    }

    @Test
    void settings_that_contradict_each_other_are_both_named() throws IOException {
        assertThat(refusal(new ConfigLoader(Map.of())
                        .option("store", "--store", "memory")
                        .option("postgres-url", "--postgres-url", "postgres://a:hunter2@b/c")))
                .isEqualTo("store (option --store) and postgres-url (option --postgres-url) contradict each other: the"
                        + " first asks for a store in memory, the second for a PostgreSQL of your own; leave one of them"
                        + " out");
        assertThat(yaml("postgres-url: postgres://a/b\nlocker.postgres.host: c\n"))
                .isEqualTo("postgres-url" + at(1) + " and locker.postgres.host" + at(2)
                        + " contradict each other: each names a database; leave one of them out");
        assertThat(yaml("data-dir: /x\nstore: memory\n"))
                .startsWith("store" + at(2) + " and data-dir" + at(1) + " contradict each other");
        assertThat(yaml("authentication.disabled: true\nauth:\n  keys:\n  - name: a\n    sha256: " + "0".repeat(64)
                        + "\n    grants: [{namespace: a, permissions: [locks.read]}]\n"))
                .isEqualTo("authentication.disabled" + at(1) + " and auth.keys[0].name" + at(4)
                        + " contradict each other: the first lets everybody in; leave one of them out");
    }

    @Test
    void other_addresses_than_loopback_need_authentication() {
        assertThat(environment(Map.of("QUERATOR_ADDRESS", "0.0.0.0:2319")))
                .isEqualTo("address (environment variable QUERATOR_ADDRESS) '0.0.0.0:2319' is not a loopback address,"
                        + " and no authentication is configured: set auth.keys, jwt.issuer or jwt.jwks; or, to let"
                        + " everybody in, authentication.disabled=true");
        for (String loopback : new String[] {"127.0.0.1:1", "127.8.8.8:1", "localhost:1", "[::1]:1"}) {
            new ConfigLoader(Map.of("LEASEHOLD_ADDRESS", loopback)).load();
        }
    }

    @Test
    void a_store_that_is_not_to_be_had_is_said() throws IOException {
        assertThat(yaml("queue-storage:\n  driver: Badger\n"))
                .isEqualTo("queue-storage.driver" + at(2)
                        + ": the driver badger is not available here; leave it out for the embedded PostgreSQL, or use"
                        + " the driver postgres with a connection-string");
        assertThat(yaml("partition-storage:\n- name: a\n  driver: redis\n"))
                .isEqualTo("partition-storage[0].driver" + at(3)
                        + ": invalid driver; 'redis' is not one of (Memory, Postgres)");
        assertThat(yaml("partition-storage:\n- name: a\n  driver: postgres\n"))
                .isEqualTo("partition-storage[0] (line 2 of " + file + ") needs a 'config.connection-string'");
        String twice = "- name: a\n  driver: postgres\n  config: {connection-string: 'postgres://h/d'}\n";
        assertThat(yaml("partition-storage:\n" + twice + twice)).startsWith("two stores are named 'a'");
        assertThat(yaml("partition-storage:\n" + twice + "  affinity: 0\n"))
                .startsWith("no entry of partition-storage has an affinity above 0");
    }

    @Test
    void a_pool_that_is_too_small_is_refused() throws IOException {
        assertThat(environment(Map.of("LOCKER_POSTGRES_CONNECTIONPOOLSIZE", "7")))
                .isEqualTo(
                        "locker.postgres.connectionPoolSize (environment variable LOCKER_POSTGRES_CONNECTIONPOOLSIZE)"
                                + " must be at least 8, got 7: locks use 2 connections and queues 4, and each needs one more to"
                                + " listen on");
        assertThat(yaml("""
                        postgres-url: postgres://a/b
                        partition-storage:
                        - name: a
                          driver: postgres
                          config: {connection-string: 'postgres://h/d', max-conns: 4}
                        """))
                .isEqualTo("partition-storage[0].config.max-conns" + at(5)
                        + " must be at least 5, got 4: queues use 4 connections, and each needs one more to listen on");
    }

    @Test
    void keys_and_tokens_are_checked() throws IOException {
        assertThat(yaml("auth-backend.driver: ldap\n"))
                .isEqualTo("auth-backend.driver" + at(1)
                        + ": invalid auth-backend driver; 'ldap' is not one of (none, internal)");
        assertThat(yaml("auth-backend.driver: internal\n"))
                .isEqualTo("auth-backend.driver" + at(1)
                        + ": the driver internal is not available here; list the keys in auth.keys");
        assertThat(yaml("auth:\n  keys:\n  - sha256: a\n"))
                .isEqualTo("auth.keys[0] (line 3 of " + file + ") needs a 'name'");
        assertThat(yaml("auth:\n  keys:\n  - name: a\n    sha256: hunter2\n"))
                .isEqualTo("auth.keys[0].sha256" + at(4)
                        + " must be the SHA-256 of the key, 64 hex digits: printf %s \"$KEY\" | sha256sum");
        String key = "auth:\n  keys:\n  - name: a\n    sha256: " + "0".repeat(64) + "\n";
        assertThat(yaml(key)).startsWith("auth.keys[0] (line 3 of " + file + ") needs 'grants'");
        assertThat(yaml(key + "    grants: [{namespace: a, permissions: [locks.eat]}]\n"))
                .isEqualTo("auth.keys[0].grants[0].permissions[0]" + at(5)
                        + " must be one of locks.read, locks.write, locks.admin, queues.produce, queues.consume,"
                        + " queues.admin, metrics.read, got 'locks.eat'");
        assertThat(yaml(key + "    grants: [{namespace: a}]\n")).contains("needs 'permissions'");
        assertThat(yaml("jwt.issuer: me\n"))
                .isEqualTo("jwt.issuer" + at(1) + " must be an http or https address, got 'me'");
        assertThat(yaml("jwt.audience: me\n"))
                .isEqualTo("jwt.audience" + at(1) + " needs jwt.issuer or jwt.jwks beside it");
        assertThat(yaml("jwt.grants: [{namespace: a, permissions: [locks.read]}]\n"))
                .endsWith(" needs jwt.issuer or jwt.jwks beside it");
        assertThat(yaml("jwt.grants: []\n"))
                .isEqualTo("jwt.grants" + at(1) + " needs jwt.issuer or jwt.jwks beside it");
        assertThat(yaml("jwt:\n  issuer: https://id.example.com\n  grants: all\n"))
                .isEqualTo("jwt.grants" + at(3) + " must be a list of a namespace, or *, with permissions, got 'all'");
        assertThat(yaml("jwt.jwks: https://id.example.com/keys\n"))
                .isEqualTo(
                        "jwt.jwks" + at(1) + " needs jwt.audience beside it: without it a token for any other service"
                                + " is good here too; if that is wanted, set jwt.any-audience=true");
    }

    @Test
    void a_wrong_queue_is_refused_in_the_words_of_every_door() throws IOException {
        assertThat(yaml("queues:\n- dead-queue: a\n")).isEqualTo("queues[0] (line 2 of " + file + ") needs a 'name'");
        assertThat(yaml("queues:\n- name: a b\n"))
                .isEqualTo("queues[0]" + at(2) + ": queue name is invalid; 'a b' cannot contain whitespace");
        assertThat(yaml("queues:\n- name: a\n  lease-timeout: 5d\n"))
                .isEqualTo("queues[0]" + at(2) + ": lease timeout is invalid; time: unknown unit \"d\" in duration"
                        + " \"5d\" - expected format: 8m, 15m or 1h");
        assertThat(yaml("queues:\n- name: a\n  requested-partitions: 0\n"))
                .isEqualTo("queues[0]" + at(2) + ": partitions is invalid; cannot be less than 1");
        assertThat(yaml("queues:\n- name: a\n  partitions: [{partition: 0, storage-name: nowhere}]\n"))
                .isEqualTo("invalid partition storage; queue 'a' references 'nowhere' which is undefined");
    }
}
