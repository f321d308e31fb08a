package dev.leasehold.cli.lock;

import static dev.leasehold.testkit.TestWaits.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.leasehold.cli.Typed;
import dev.leasehold.cli.command.ExitStatus;
import java.io.StringWriter;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands for locks, wherever they work. */
abstract class LockCommands {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String key = "cli:" + UUID.randomUUID();

    /** Where the locks are. */
    abstract String url();

    private Typed lock(String... words) {
        String[] all = new String[words.length + 1];
        all[0] = "lock";
        System.arraycopy(words, 0, all, 1, words.length);
        return Typed.command(Typed.at(url(), all));
    }

    private static JsonNode json(Typed answer) throws JsonProcessingException {
        return JSON.readTree(answer.out());
    }

    private String acquired() throws JsonProcessingException {
        return json(lock("acquire", key, "--json")).get("lock_id").asText();
    }

    @Test
    void acquire_prints_lock_id_fence_and_expiry() {
        Typed answer = lock("acquire", key, "--ttl", "1m");
        assertThat(answer.status()).isZero();
        assertThat(answer.out())
                .containsPattern("lock id:  [A-Za-z0-9_-]{22}\\R")
                .containsPattern("fence:    \\d{15}\\R")
                .containsPattern("expires:  in \\d+ s \\(20\\d\\d-");
        assertThat(answer.err()).isEmpty();
    }

    @Test
    void a_second_acquire_is_refused_until_release() throws JsonProcessingException {
        String lockId = acquired();
        Typed second = lock("acquire", key, "--json");
        assertThat(second.status()).isEqualTo(ExitStatus.NOT_NOW);
        assertThat(json(second).get("acquired").asBoolean()).isFalse();
        assertThat(json(second).get("reason").asText()).isEqualTo("locked");
        assertThat(lock("release", lockId).status()).isZero();
        assertThat(lock("acquire", key).status()).isZero();
    }

    @Test
    void a_lock_that_is_not_held_is_not_released() throws JsonProcessingException {
        String lockId = acquired();
        assertThat(lock("release", lockId, "--json").out()).isEqualToIgnoringNewLines("{\"released\":true}");
        Typed again = lock("release", lockId, "--json");
        assertThat(again.status()).isEqualTo(ExitStatus.NOT_NOW);
        assertThat(again.out()).isEqualToIgnoringNewLines("{\"released\":false}");
    }

    @Test
    void a_lock_id_can_come_by_standard_input() throws JsonProcessingException {
        String lockId = acquired();
        Typed answer = Typed.withInput(lockId + "\n", Typed.at(url(), "lock", "extend", "-", "--ttl", "2m"));
        assertThat(answer.out()).startsWith("extended, expires in ");
        assertThat(Typed.withInput(lockId, Typed.at(url(), "lock", "release", "-"))
                        .status())
                .isZero();
    }

    @Test
    void a_lock_id_of_the_wrong_form_is_not_repeated() {
        Typed answer = lock("release", "not-a-lock-id-but-secret");
        assertThat(answer.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(answer.err()).contains("22 characters").doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-AAAAAAAAAAAAAAAAAAAAA", "-hAAAAAAAAAAAAAAAAAAAA", "--AAAAAAAAAAAAAAAAAAAA"})
    void a_lock_id_that_begins_with_a_dash_is_no_option(String lockId) {
        assertThat(lock("release", lockId).out()).startsWith("not held");
        assertThat(Typed.command("lock", "release", "--url", url(), "--", lockId)
                        .out())
                .startsWith("not held");
        assertThat(lock("extend", lockId, "--ttl", "5s").out()).startsWith("not held");
        assertThat(lock("lookup", "--lock-id", lockId).out()).startsWith("free");
        assertThat(lock("lookup", "--lock-id=" + lockId).out()).startsWith("free");
        assertThat(Typed.command("lock", "lookup", "--lock-id").err()).contains("Missing lock id behind --lock-id");
    }

    @Test
    void extend_moves_the_expiry() throws JsonProcessingException {
        JsonNode grant = json(lock("acquire", key, "--ttl", "10s", "--json"));
        JsonNode extended = json(lock("extend", grant.get("lock_id").asText(), "--ttl", "10m", "--json"));
        assertThat(extended.get("extended").asBoolean()).isTrue();
        assertThat(extended.get("expires_at_ms").asLong())
                .isGreaterThan(grant.get("expires_at_ms").asLong() + 500_000);
    }

    @Test
    void lookup_finds_by_key_and_by_lock_id_and_says_free() throws JsonProcessingException {
        assertThat(lock("lookup", key).status()).isEqualTo(ExitStatus.NOT_NOW);
        assertThat(lock("lookup", key, "--json").out()).isEqualToIgnoringNewLines("{\"lock\":null}");
        String lockId = acquired();
        JsonNode byKey = json(lock("lookup", key, "--json")).get("lock");
        assertThat(byKey.get("fence").asText()).matches("\\d{15}");
        assertThat(json(lock("lookup", "--lock-id", lockId, "--json")).get("lock"))
                .isEqualTo(byKey);
        assertThat(byKey.toString()).doesNotContain(lockId).doesNotContain(key);
    }

    @Test
    void list_shows_holders_under_a_prefix() throws JsonProcessingException {
        lock("acquire", key + ":b", "--owner", "billing", "--instance-id", "i-1");
        lock("acquire", key + ":a");
        JsonNode locks = json(lock("list", "--prefix", key, "--json")).get("locks");
        assertThat(locks).hasSize(2);
        assertThat(locks.get(0).get("key").asText()).isEqualTo(key + ":a");
        assertThat(locks.get(1).get("owner").asText()).isEqualTo("billing");
        Typed page = lock("list", "--prefix", key, "--pivot", key + ":b", "--limit", "1");
        assertThat(page.out()).contains("KEY").contains(key + ":b").doesNotContain(key + ":a");
        assertThat(page.err()).contains("Found 1 lock(s)");
    }

    @Test
    void force_release_needs_the_present_fence() throws JsonProcessingException {
        String fence = json(lock("acquire", key, "--json")).get("fence").asText();
        assertThat(lock("force-release", key, "--fence", "999", "--reason", "test")
                        .status())
                .isEqualTo(ExitStatus.NOT_NOW);
        assertThat(lock("force-release", key, "--fence", fence, "--reason", "test")
                        .status())
                .isZero();
        assertThat(lock("lookup", key).out()).contains("free");
    }

    @Test
    void an_instance_without_an_owner_is_wrong_usage() {
        Typed answer = lock("acquire", key, "--instance-id", "i-1");
        assertThat(answer.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(answer.err()).contains("--instance-id needs --owner beside it");
        assertThat(lock("acquire", key, "--anonymous", "--owner", "billing").status())
                .isEqualTo(ExitStatus.USAGE);
    }

    @Test
    void a_lock_is_held_in_the_name_of_user_host_and_process_unless_said_otherwise() throws JsonProcessingException {
        String self = System.getProperty("user.name") + "@\\S+:"
                + ProcessHandle.current().pid();
        lock("acquire", key);
        assertThat(json(lock("lookup", key, "--json")).get("lock").get("owner").asText())
                .matches(self);
        assertThat(lock("lookup", key).out()).containsPattern("holder: +" + self);
        assertThat(lock("acquire", key).status())
                .as("another command of the same process is another holder")
                .isEqualTo(ExitStatus.NOT_NOW);
        lock("acquire", key + ":b", "--owner", "billing");
        lock("acquire", key + ":c", "--anonymous");
        assertThat(lock("lookup", key + ":b").out()).containsPattern("holder: +billing");
        assertThat(lock("lookup", key + ":c").out()).doesNotContain("holder").contains("fence");
    }

    @Test
    void the_same_holder_gets_the_same_grant_again() throws JsonProcessingException {
        String[] words = {"acquire", key, "--owner", "billing", "--instance-id", "i-1", "--json"};
        assertThat(json(lock(words)).get("lock_id")).isEqualTo(json(lock(words)).get("lock_id"));
    }

    @Test
    void lookup_and_list_show_how_old_a_grant_is_and_never_its_lock_id() throws JsonProcessingException {
        String lockId = acquired();
        assertThat(lock("lookup", key).out())
                .containsPattern("acquired: +\\d+ s ago \\(20\\d\\d-")
                .containsPattern("expires: +in \\d+ s \\(20\\d\\d-")
                .doesNotContain(lockId);
        assertThat(lock("list", "--prefix", key).out())
                .containsPattern("KEY +FENCE +HOLDER +INSTANCE +ACQUIRED +EXPIRES")
                .containsPattern(key + " +\\d{15} +\\S+ +\\S+ +\\d+ s ago +in \\d+ s")
                .doesNotContain(lockId);
    }

    @Test
    void watch_shows_it_again_until_it_is_interrupted() throws InterruptedException {
        StringWriter out = new StringWriter();
        AtomicInteger status = new AtomicInteger();
        Thread watching =
                new Thread(() -> status.set(Typed.into(out, Typed.at(url(), "lock", "lookup", "--watch=200ms", key))
                        .status()));
        watching.start();
        await().until(() -> out.toString().contains("free"));
        lock("acquire", key);
        await().until(() -> out.toString().contains("fence"));
        watching.interrupt();
        watching.join();
        assertThat(out.toString()).contains("Every 0.2 s").contains("ctrl-C");
        assertThat(status).hasValue(ExitStatus.SIGNAL + 2);
    }

    @Test
    void watch_has_a_bounded_interval() {
        assertThat(lock("lookup", key, "--watch=1ms").err()).contains("--watch must be from 200ms to 1h");
        assertThat(lock("list", "--watch=2h").status()).isEqualTo(ExitStatus.USAGE);
    }

    @Test
    void a_ttl_that_can_never_be_right_is_wrong_usage() {
        assertThat(lock("acquire", key, "--ttl", "0s").status()).isEqualTo(ExitStatus.USAGE);
    }
}
