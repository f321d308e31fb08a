package dev.leasehold.syncguard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockId;
import dev.leasehold.lock.LockKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StorageKeysTest {
    private static final String LOCK = "\ud83d\udd12";
    private static final int REDIS = 1000;
    private static final int RESERVE = 26;

    @ParameterizedTest(name = "{index}: limit {2}")
    @MethodSource("vectors")
    void the_stored_key_is_the_one_that_other_clients_store(
            String prefix, String key, int limit, int reserve, String expected) {
        assertThat(StorageKeys.make(prefix, key, limit, reserve)).isEqualTo(expected);
    }

    static Stream<Arguments> vectors() {
        return Stream.of(
                arguments("", "payment:123", 1700, 0, "payment:123"),
                arguments("", "cafe\u0301", 1700, 0, "caf\u00e9"),
                arguments("syncguard", "payment:123", REDIS, RESERVE, "syncguard:payment:123"),
                arguments("syncguard:test:", "payment:123", REDIS, RESERVE, "syncguard:test:payment:123"),
                arguments("myapp::", "k", REDIS, RESERVE, "myapp:k"),
                arguments(":", "k", REDIS, RESERVE, "k"),
                arguments("p", "k", REDIS, RESERVE, "p:k"),
                arguments("", "a".repeat(1700), 1700, 0, "a".repeat(1700)),
                arguments("", "a".repeat(1701), 1700, 0, "SJRy32eHMSPT8FSdtkw1mQ"),
                arguments("", LOCK.repeat(425), 1700, 0, LOCK.repeat(425)),
                arguments("", LOCK.repeat(426), 1700, 0, "LDOJmVnaEQN8XK-s-twGEw"),
                arguments("", "cafe\u0301".repeat(341), 1700, 0, "K6g2h164lAVk_Xtw_v8fYg"),
                arguments("", "caf\u00e9".repeat(341), 1700, 0, "K6g2h164lAVk_Xtw_v8fYg"),
                arguments("syncguard", "a".repeat(964), REDIS, RESERVE, "syncguard:" + "a".repeat(964)),
                arguments("syncguard", "a".repeat(965), REDIS, RESERVE, "syncguard:Eckx1fUpVnoN6uJkudULjg"),
                arguments("app1", "x".repeat(1000), REDIS, RESERVE, "app1:hwISAdepN9nqbJvsUpk1gg"),
                arguments("app1::", "x".repeat(1000), REDIS, RESERVE, "app1:hwISAdepN9nqbJvsUpk1gg"),
                arguments("app2", "x".repeat(1000), REDIS, RESERVE, "app2:5bmaSo8pf16cQAJA-HcuTQ"),
                arguments("", "x".repeat(1000), REDIS, RESERVE, "RPg1RJSlugO6F5Ko0-nFNA"),
                arguments("", "a".repeat(23), 22, 0, "iX0-lbZfJmdggfi586mLbg"),
                arguments("", "\ud800".repeat(600), 1700, 0, "JQEZGSQI5r8jdYLTI2i3gw"));
    }

    @Test
    void a_fence_key_is_derived_from_the_stored_key_with_its_prefix() {
        assertThat(fence("syncguard", "payment:123")).isEqualTo("syncguard:fence:syncguard:payment:123");
        assertThat(fence("", "payment:123")).isEqualTo("fence:payment:123");
    }

    @Test
    void a_long_prefix_gets_the_fence_key_hashed_first() {
        String base = StorageKeys.make("n".repeat(300), "k".repeat(512), REDIS, RESERVE);
        assertThat(base).isEqualTo("n".repeat(300) + ":" + "k".repeat(512));
        assertThat(fence("n".repeat(300), "k".repeat(512))).isEqualTo("n".repeat(300) + ":aTVQd7Rt2ThKlVhlubIifQ");
    }

    @Test
    void a_longer_prefix_gets_the_stored_key_hashed_too() {
        assertThat(StorageKeys.make("n".repeat(470), "k".repeat(512), REDIS, RESERVE))
                .isEqualTo("n".repeat(470) + ":zBNYewSV4VWd2Z0faHY1uw");
    }

    @Test
    void fence_keys_of_hashed_keys_stay_apart() {
        assertThat(IntStream.range(0, 100).mapToObj(i -> fence("n".repeat(470), "k".repeat(505) + i)))
                .doesNotHaveDuplicates()
                .allSatisfy(key -> assertThat(key.length() + RESERVE).isLessThanOrEqualTo(REDIS));
    }

    private static String fence(String prefix, String key) {
        String base = StorageKeys.make(prefix, key, REDIS, RESERVE);
        return StorageKeys.fence(prefix, base, REDIS, RESERVE);
    }

    @Test
    void a_prefix_without_room_for_the_hash_is_refused() {
        assertRefused(
                "p".repeat(973), "k".repeat(20), "Key exceeds backend limits even after hashing (prefix too long).");
    }

    @Test
    void a_prefix_without_room_for_any_key_is_refused() {
        assertRefused(
                "p".repeat(974),
                "k",
                "Prefix exceeds backend limit after accounting for reserved bytes. Use a shorter prefix.");
    }

    @Test
    void an_empty_key_is_refused() {
        assertRefused("p", "", "Key must not be empty");
    }

    private static void assertRefused(String prefix, String key, String message) {
        assertThatThrownBy(() -> StorageKeys.make(prefix, key, REDIS, RESERVE))
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(LockErrorCode.INVALID_ARGUMENT))
                .hasMessage(message);
    }

    @Test
    void the_hash_is_the_first_half_of_sha_256_over_prefix_and_key() throws Exception {
        String full = "app:" + "\u00e9".repeat(600);
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(full.getBytes(StandardCharsets.UTF_8));
        String expected = Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest, 16));
        assertThat(StorageKeys.make("app", "\u00e9".repeat(600), REDIS, RESERVE))
                .isEqualTo("app:" + expected);
    }

    @Test
    void the_hash_does_not_depend_on_the_reserve() {
        assertThat(StorageKeys.make("", "x".repeat(2000), REDIS, 0))
                .isEqualTo(StorageKeys.make("", "x".repeat(2000), REDIS, 500));
    }

    @Test
    void moving_text_between_prefix_and_key_gives_another_hash() {
        assertThat(StorageKeys.make("a", "b:" + "x".repeat(1000), REDIS, RESERVE))
                .isNotEqualTo(StorageKeys.make("a:b", "x".repeat(1000), REDIS, RESERVE));
    }

    @Test
    void a_thousand_long_keys_do_not_collide() {
        assertThat(IntStream.range(0, 1000).mapToObj(i -> StorageKeys.make("", "x".repeat(2000) + i, 1700, 0)))
                .doesNotHaveDuplicates()
                .allMatch(LockId::isWellFormed);
    }

    @Test
    void no_key_of_ours_is_hashed_on_postgresql() {
        String longest = "k".repeat(LockKey.MAX_BYTES);
        String base = StorageKeys.make("", longest, StorageKeys.POSTGRES_LIMIT, StorageKeys.POSTGRES_RESERVE);
        assertThat(base).isEqualTo(longest);
        assertThat(StorageKeys.fence("", base, StorageKeys.POSTGRES_LIMIT, StorageKeys.POSTGRES_RESERVE))
                .isEqualTo("fence:" + longest);
    }

    @Test
    void only_colons_at_the_very_end_of_a_prefix_are_dropped() {
        assertThat(StorageKeys.make("a:\n", "k", REDIS, RESERVE)).isEqualTo("a:\n:k");
        assertThat(StorageKeys.make("a:b", "k", REDIS, RESERVE)).isEqualTo("a:b:k");
    }
}
