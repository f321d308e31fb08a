package dev.leasehold.server.lock;

import static dev.leasehold.testkit.TestWaits.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import dev.leasehold.server.OneServer;
import dev.leasehold.testkit.TestWaits;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The native lock API, from outside, on a real PostgreSQL. */
@Timeout(TestWaits.TEST_LIMIT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LockEndpointsTest {
    private final OneServer server = new OneServer();
    private final LockClient locks = new LockClient(server.port());

    @AfterAll
    void close() {
        server.close();
    }

    private static String newKey() {
        return "test:" + UUID.randomUUID();
    }

    private JsonNode acquire(String key, Object... more) {
        Object[] fields = new Object[more.length + 2];
        fields[0] = "key";
        fields[1] = key;
        System.arraycopy(more, 0, fields, 2, more.length);
        return locks.post("acquire", fields).ok();
    }

    @Test
    void a_grant_says_all_about_itself() {
        JsonNode granted = acquire(newKey(), "ttl", "1m30s");
        assertThat(granted.fieldNames())
                .toIterable()
                .containsExactly("acquired", "lock_id", "fence", "acquired_at_ms", "expires_at_ms");
        assertThat(granted.path("acquired").asBoolean()).isTrue();
        assertThat(granted.path("lock_id").asText()).matches("[A-Za-z0-9_-]{22}");
        assertThat(granted.path("fence").asText()).isEqualTo("000000000000001");
        assertThat(granted.path("acquired_at_ms").isIntegralNumber()).isTrue();
        assertThat(granted.path("expires_at_ms").asLong()
                        - granted.path("acquired_at_ms").asLong())
                .isEqualTo(90_000);
    }

    @Test
    void contention_is_an_answer() {
        String key = newKey();
        acquire(key);
        assertThat(locks.post("acquire", "key", key).text()).isEqualTo("{\"acquired\":false,\"reason\":\"locked\"}");
    }

    @Test
    void a_wait_ends_with_the_release() {
        String key = newKey();
        String held = acquire(key).path("lock_id").asText();
        CompletableFuture<LockClient.Answer> waiting = locks.postAsync("acquire", "key", key, "wait", "30s");
        await().untilAsserted(() -> assertThat(waitersOf(key)).isPositive());
        assertThat(waiting).isNotDone();
        assertThat(locks.post("release", "lock_id", held).text()).isEqualTo("{\"released\":true}");
        JsonNode granted = waiting.join().ok();
        assertThat(granted.path("acquired").asBoolean()).isTrue();
        assertThat(granted.path("fence").asText()).isEqualTo("000000000000002");
    }

    /** How many nodes have written down that they wait for the key. */
    private long waitersOf(String key) {
        return server.number("select count(*) from syncguard_locks_waiters where key = '" + key + "'");
    }

    @Test
    void a_wait_in_vain_ends_in_time() {
        String key = newKey();
        acquire(key);
        long start = System.nanoTime();
        JsonNode refused = acquire(key, "wait", "300ms");
        assertThat(refused.path("acquired").asBoolean()).isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
    }

    @Test
    void the_same_holder_gets_the_same_grant() {
        String key = newKey();
        JsonNode first = acquire(key, "owner", "billing", "instance_id", "a");
        JsonNode again = acquire(key, "owner", "billing", "instance_id", "a", "ttl", "2m");
        assertThat(again.path("lock_id")).isEqualTo(first.path("lock_id"));
        assertThat(again.path("fence")).isEqualTo(first.path("fence"));
        assertThat(again.path("expires_at_ms").asLong())
                .isGreaterThan(first.path("expires_at_ms").asLong());
        assertThat(acquire(key, "owner", "billing", "instance_id", "b")
                        .path("acquired")
                        .asBoolean())
                .isFalse();
    }

    @Test
    void a_lock_id_that_is_in_use_for_another_key_is_refused() {
        String lockId = LockId.generate().value();
        acquire(newKey(), "lock_id", lockId);
        String other = newKey();
        locks.post("acquire", "key", other, "lock_id", lockId)
                .isRefusal(
                        400,
                        "InvalidArgument",
                        "The lock id is already in use for another key: choose a new lock id for each key");
        assertThat(acquire(other).path("acquired").asBoolean()).isTrue();
    }

    @Test
    void a_call_that_draws_its_lock_id_may_be_repeated() {
        String key = newKey();
        String lockId = LockId.generate().value();
        JsonNode first = acquire(key, "lock_id", lockId);
        JsonNode again = acquire(key, "lock_id", lockId);
        assertThat(first.path("lock_id").asText()).isEqualTo(lockId);
        assertThat(again.path("lock_id").asText()).isEqualTo(lockId);
        assertThat(again.path("fence")).isEqualTo(first.path("fence"));
        assertThat(acquire(key).path("acquired").asBoolean()).isFalse();
    }

    @Test
    void a_grant_is_extended_and_released_once() {
        String key = newKey();
        JsonNode granted = acquire(key, "ttl", "10s");
        String lockId = granted.path("lock_id").asText();
        JsonNode extended = locks.post("extend", "lock_id", lockId, "ttl", "1h").ok();
        assertThat(extended.path("extended").asBoolean()).isTrue();
        assertThat(extended.path("expires_at_ms").asLong())
                .isGreaterThan(granted.path("expires_at_ms").asLong() + 3_000_000);
        assertThat(locks.post("is_locked", "key", key).text()).isEqualTo("{\"locked\":true}");
        assertThat(locks.post("release", "lock_id", lockId).text()).isEqualTo("{\"released\":true}");
        assertThat(locks.post("release", "lock_id", lockId).text())
                .isEqualTo("{\"released\":false,\"reason\":\"not-found\"}");
        assertThat(locks.post("extend", "lock_id", lockId, "ttl", "8760h").text())
                .isEqualTo("{\"extended\":false,\"reason\":\"not-found\"}");
        assertThat(locks.post("is_locked", "key", key).text()).isEqualTo("{\"locked\":false}");
    }

    @Test
    void a_lookup_shows_hashes_and_never_the_raw_key_or_lock_id() {
        String key = newKey();
        assertThat(locks.post("lookup", "key", key).text()).isEqualTo("{\"lock\":null}");
        JsonNode granted = acquire(key);
        String lockId = granted.path("lock_id").asText();
        for (LockClient.Answer found :
                List.of(locks.post("lookup", "key", key), locks.post("lookup", "lock_id", lockId))) {
            JsonNode lock = found.ok().path("lock");
            assertThat(lock.fieldNames())
                    .toIterable()
                    .containsExactly("key_hash", "lock_id_hash", "acquired_at_ms", "expires_at_ms", "fence");
            assertThat(lock.path("key_hash").asText()).isEqualTo(LockKey.of(key).hash());
            assertThat(found.text()).doesNotContain(key).doesNotContain(lockId);
        }
        locks.post("lookup", "key", key, "lock_id", lockId)
                .isRefusal(400, "InvalidArgument", "give exactly one of key and lock_id");
        locks.post("lookup").isRefusal(400, "InvalidArgument", "give exactly one of key and lock_id");
    }

    @Test
    void a_lookup_shows_who_holds_the_lock() {
        String key = newKey();
        acquire(key, "owner", "billing", "instance_id", "n1");
        JsonNode lock = locks.post("lookup", "key", key).ok().path("lock");
        assertThat(lock.path("owner").asText()).isEqualTo("billing");
        assertThat(lock.path("instance_id").asText()).isEqualTo("n1");
    }

    @Test
    void operators_see_who_holds_what_and_take_it_away() {
        String prefix = newKey() + ":";
        acquire(prefix + "b", "owner", "billing", "instance_id", "n1");
        JsonNode anonymous = acquire(prefix + "a");
        JsonNode listed = locks.post("list", "prefix", prefix, "limit", 10).ok().path("locks");
        assertThat(listed.findValuesAsText("key")).containsExactly(prefix + "a", prefix + "b");
        assertThat(listed.get(1).path("owner").asText()).isEqualTo("billing");
        assertThat(listed.get(0).has("owner")).isFalse();
        assertThat(listed.toString()).doesNotContain(anonymous.path("lock_id").asText());
        assertThat(locks.post("list", "prefix", prefix, "pivot", prefix + "b")
                        .ok()
                        .path("locks"))
                .hasSize(1);

        String fence = anonymous.path("fence").asText();
        assertThat(locks.post(
                                "force_release",
                                "key",
                                prefix + "a",
                                "fence",
                                "000000000000099",
                                "reason",
                                "not this one")
                        .text())
                .isEqualTo("{\"released\":false}");
        assertThat(locks.post("force_release", "key", prefix + "a", "fence", fence, "reason", "stuck")
                        .text())
                .isEqualTo("{\"released\":true}");
        assertThat(locks.post("extend", "lock_id", anonymous.path("lock_id").asText(), "ttl", "1m")
                        .text())
                .isEqualTo("{\"extended\":false,\"reason\":\"not-found\"}");
    }

    @Test
    void a_holder_renews_and_releases_without_a_lock_id() {
        String key = newKey();
        Object[] us = {"key", key, "owner", "billing", "instance_id", "a"};
        JsonNode granted = locks.post("acquire", with(us, "ttl", "1m")).ok();
        JsonNode renewed = locks.post("renew_held", with(us, "more", "1m30s")).ok();
        assertThat(renewed.fieldNames())
                .toIterable()
                .containsExactly("renewed", "lock_id", "fence", "lease", "acquired_at_ms", "expires_at_ms");
        assertThat(renewed.path("renewed").asBoolean()).isTrue();
        assertThat(renewed.path("lease").asText()).isEqualTo("2m30s");
        assertThat(renewed.path("expires_at_ms").asLong())
                .isEqualTo(granted.path("expires_at_ms").asLong() + 90_000);
        for (String same : List.of("lock_id", "fence", "acquired_at_ms")) {
            assertThat(renewed.path(same)).isEqualTo(granted.path(same));
        }
        assertThat(locks.post("release_held", us).text()).isEqualTo("{\"released\":true}");
        assertThat(locks.post("release_held", us).text()).isEqualTo("{\"released\":false,\"reason\":\"not_held\"}");
        assertThat(locks.post("renew_held", with(us, "more", "1s")).text()).isEqualTo("{\"renewed\":false}");
    }

    @Test
    void nobody_renews_or_releases_what_another_instance_holds() {
        String key = newKey();
        acquire(key, "owner", "billing", "instance_id", "a");
        Object[] other = {"key", key, "owner", "billing", "instance_id", "b"};
        assertThat(locks.post("renew_held", with(other, "more", "1s")).text()).isEqualTo("{\"renewed\":false}");
        assertThat(locks.post("release_held", other).text()).isEqualTo("{\"released\":false,\"reason\":\"locked\"}");
        assertThat(locks.post("is_locked", "key", key).text()).isEqualTo("{\"locked\":true}");
    }

    private static Object[] with(Object[] fields, Object... more) {
        return Stream.concat(Stream.of(fields), Stream.of(more)).toArray();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "acquire | {} | Key must be a string",
                "acquire | {\"key\": \"\"} | Key must not be empty",
                "acquire | {\"key\": 7} | key must be a string",
                "acquire | {\"key\": \"k\", \"ttl\": \"0s\"} | ttl must be a positive whole number of milliseconds",
                "acquire | {\"key\": \"k\", \"ttl\": \"-1s\"} | ttl must be a positive whole number of milliseconds",
                "acquire | {\"key\": \"k\", \"ttl\": \"8761h\"} | ttl is too long; at most 8760h0m0s is possible, but 8761h0m0s was requested",
                "acquire | {\"key\": \"k\", \"ttl\": \"soon\"} | ttl is invalid; time: invalid duration \"soon\" - expected format: 1500ms, 30s or 5m",
                "acquire | {\"key\": \"k\", \"ttl\": 30} | ttl must be a string",
                "acquire | {\"key\": \"a\\ud800b\"} | key must not have a lone surrogate, which is half of a character",
                "acquire | {\"key\": \"k\", \"wait\": \"16m\"} | wait is too long; at most 15m0s is possible, but 16m0s was requested",
                "acquire | {\"key\": \"k\", \"owner\": \"me\"} | owner and instance_id go together: give both or neither",
                "acquire | {\"key\": \"k\", \"colour\": \"red\"} | unknown field 'colour'; expected key, ttl, wait, owner, instance_id, lock_id",
                "acquire | {\"key\": \"a\\u0000b\"} | Key must not contain U+0000",
                "extend | {\"lock_id\": \"AAAAAAAAAAAAAAAAAAAAAA\"} | ttl must be a positive whole number of milliseconds",
                "list | {\"limit\": 1001} | limit must be between 1 and 1000, got 1001",
                "list | {\"limit\": 0} | limit must be between 1 and 1000, got 0",
                "list | {\"limit\": 1.5} | limit must be a whole number",
                "force_release | {\"key\": \"k\", \"fence\": \"7\", \"reason\": \"r\"} | Fence must be 15 digits, got: 7",
                "force_release | {\"key\": \"k\", \"fence\": \"000000000000007\", \"reason\": \"  \"} | reason is required",
                "force_release | {\"key\": \"k\", \"reason\": \"r\"} | fence is required",
                "renew_held | {\"owner\": \"o\", \"instance_id\": \"i\", \"more\": \"1s\"} | Key must be a string",
                "renew_held | {\"key\": \"k\", \"more\": \"1s\"} | owner and instance_id are required",
                "renew_held | {\"key\": \"k\", \"owner\": \"o\", \"more\": \"1s\"} | owner and instance_id go together: give both or neither",
                "renew_held | {\"key\": \"k\", \"owner\": \"o\", \"instance_id\": \"i\"} | more must be a positive number of whole milliseconds, such as 30s",
                "renew_held | {\"key\": \"k\", \"owner\": \"o\", \"instance_id\": \"i\", \"more\": \"-1s\"} | more must be a positive number of whole milliseconds, such as 30s",
                "renew_held | {\"key\": \"k\", \"owner\": \"o\", \"instance_id\": \"i\", \"more\": \"1us\"} | more must be a positive number of whole milliseconds, such as 30s",
                "renew_held | {\"key\": \"k\", \"owner\": \"o\", \"instance_id\": \"i\", \"more\": \"25h\"} | more is too long; at most 24h0m0s is possible, but 25h0m0s was requested",
                "renew_held | {\"key\": \"k\", \"ttl\": \"1s\"} | unknown field 'ttl'; expected key, owner, instance_id, more",
                "release_held | {\"key\": \"k\"} | owner and instance_id are required",
                "release_held | {\"key\": \"k\", \"owner\": \"o\", \"instance_id\": 7} | instance_id must be a string",
                "release_held | {\"key\": \"k\", \"lock_id\": \"x\"} | unknown field 'lock_id'; expected key, owner, instance_id",
            })
    void what_is_wrong_is_refused_by_name(String verb, String body, String message) {
        locks.postText(verb, body).isRefusal(400, "InvalidArgument", message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"release", "extend", "lookup", "acquire"})
    void a_malformed_lock_id_is_not_repeated(String verb) {
        String almost = LockId.generate().value() + "=";
        LockClient.Answer answer = verb.equals("acquire")
                ? locks.post(verb, "key", newKey(), "lock_id", almost)
                : locks.post(verb, "lock_id", almost);
        answer.isRefusal(
                400,
                "InvalidArgument",
                "Invalid lockId format. Expected 22 base64url characters, got: 23 characters that are not");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "null",
                "\"key\"",
                "{\"key\": \"a\"} x",
                "{\"key\": \"a\", \"key\": \"b\"}",
                "\ufeff{\"key\": \"a\"}"
            })
    void what_is_not_a_json_object_is_455(String body) {
        LockClient.Answer answer = locks.postText("acquire", body);
        assertThat(answer.status()).isEqualTo(455);
        assertThat(answer.json().path("code_text").asText()).isEqualTo("Client Content Error");
        assertThat(answer.error()).isEqualTo("InvalidArgument");
    }

    @Test
    void other_forms_are_455_and_nothing_is_done() {
        String key = newKey();
        String body = "{\"key\": \"" + key + "\"}";
        assertThat(locks.postText("acquire", body, "Content-Type", "text/plain").status())
                .isEqualTo(455);
        assertThat(locks.postText("acquire", body, "Content-Type", "application/protobuf")
                        .status())
                .isEqualTo(455);
        assertThat(locks.postText("acquire", body, "Accept", "text/html").status())
                .isEqualTo(455);
        assertThat(locks.post("is_locked", "key", key).text()).isEqualTo("{\"locked\":false}");
    }

    @Test
    void a_body_that_is_too_large_and_a_wrong_method_are_400() {
        String large = "{\"key\": \"" + "k".repeat(65_536) + "\"}";
        LockClient.Answer refused = locks.postText("acquire", large);
        refused.isRefusal(400, "InvalidArgument", "request body exceeds 64.0KiB limit");
        LockClient.Answer put = locks.send(locks.request("acquire").PUT(BodyPublishers.ofString("{}")))
                .join();
        put.isRefusal(400, "InvalidArgument", "http method 'PUT' not allowed; only POST");
    }

    @Test
    void a_database_that_is_of_no_use_is_neither_locked_nor_free() {
        try (OneServer broken = new OneServer()) {
            broken.execute("drop table syncguard_locks cascade");
            LockClient there = new LockClient(broken.port());
            for (String verb : List.of("acquire", "is_locked", "lookup")) {
                LockClient.Answer answer = there.post(verb, "key", newKey());
                assertThat(answer.status()).as(answer.text()).isNotIn(200, 400, 423);
            }
        }
    }
}
