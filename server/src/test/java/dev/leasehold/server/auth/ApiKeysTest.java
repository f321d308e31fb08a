package dev.leasehold.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiKeysTest {
    private static final List<Grant> BILLING = List.of(new Grant("billing", Set.of(Permission.LOCKS_WRITE)));

    private final ApiKeys keys = new ApiKeys(List.of(key("alice", "alice-secret"), key("bob", "bob-secret")));

    static ApiKeys.Key key(String name, String key) {
        return new ApiKeys.Key(name, sha256(key), BILLING);
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void each_key_is_whoever_it_was_given_to() {
        assertThat(keys.authenticate("Bearer alice-secret").join().subject()).isEqualTo("alice");
        assertThat(keys.authenticate("Bearer bob-secret").join()).isEqualTo(new Principal("bob", true, BILLING));
    }

    @Test
    void a_hash_may_be_written_in_capitals() {
        ApiKeys.Key key = new ApiKeys.Key("carol", sha256("c").toUpperCase(java.util.Locale.ROOT), BILLING);

        assertThat(new ApiKeys(List.of(key)).authenticate("Bearer c").join().subject())
                .isEqualTo("carol");
    }

    @Test
    void an_unknown_key_does_not_exist() {
        refuses("Bearer carol-secret", "api key does not exist");
        refuses("Bearer " + sha256("alice-secret"), "api key does not exist");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer ", "Bearer two words", "Bearer schlüssel", "Bearer \0"})
    void a_key_that_no_key_can_look_like_is_invalid(String header) {
        refuses(header, "api key is invalid");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "alice-secret", "Basic YTpi", "bearer alice-secret", "Bearer"})
    void another_kind_of_header_is_refused(String header) {
        refuses(header, "invalid authorization header format");
    }

    @Test
    void nobody_comes_in_without_a_key() {
        refuses(null, "authentication required");
    }

    private void refuses(@Nullable String header, String message) {
        assertThatThrownBy(() -> keys.authenticate(header).join())
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(UnauthorizedException.class)
                .hasMessage(message);
    }

    @Test
    void grants_hold_in_their_namespace_only() {
        Principal alice = keys.authenticate("Bearer alice-secret").join();

        assertThat(alice.may(Permission.LOCKS_WRITE, "billing")).isTrue();
        assertThat(alice.may(Permission.LOCKS_READ, "billing")).isFalse();
        assertThat(alice.may(Permission.LOCKS_WRITE, "billing2")).isFalse();
        assertThat(alice.may(Permission.LOCKS_WRITE, Grant.ALL)).isFalse();
        assertThatThrownBy(() -> alice.require(Permission.LOCKS_WRITE, "_system"))
                .isInstanceOf(ForbiddenException.class)
                .hasMessage("access denied");
    }

    @Test
    void the_key_itself_in_place_of_its_hash_is_refused_and_not_echoed() {
        assertThatThrownBy(() -> new ApiKeys.Key("alice", "alice-secret", BILLING))
                .hasMessageContaining("'alice'")
                .hasMessageContaining("SHA-256")
                .hasMessageNotContaining("alice-secret");
    }

    @Test
    void two_keys_of_one_name_are_refused() {
        assertThatThrownBy(() -> new ApiKeys(List.of(key("alice", "1"), key("alice", "2"))))
                .hasMessageContaining("'alice' twice");
    }

    @Test
    void no_hash_is_in_the_text_of_a_key() {
        assertThat(key("alice", "alice-secret").toString()).contains("alice").doesNotContain(sha256("alice-secret"));
    }

    @Test
    void permissions_are_spelt_as_configured() {
        assertThat(Permission.of("queues.admin")).isEqualTo(Permission.QUEUES_ADMIN);
        assertThatThrownBy(() -> Permission.of("locks.fly"))
                .hasMessageContaining("'locks.fly'")
                .hasMessageContaining("locks.read, locks.write");
    }
}
