package dev.leasehold.queue;

import static dev.leasehold.queue.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.leasehold.queue.admin.QueueListing;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names, namespaces, dead queues, listings, and the timeouts of requests. */
class QueueRulesTest {
    private static final String LOCK = "\ud83d\udd12";
    private static final String EMPTY_NAME = "queue name is invalid; queue name cannot be empty";
    private static final String LONG_NAME = "queue name is invalid; cannot be greater than '512' characters";

    @ParameterizedTest
    @ValueSource(strings = {"q", "my-queue", "a/b:c", "\u00e9", LOCK, "\u001c", "\u200b", "\ufeff", "'", "_system"})
    void a_name_may_hold_almost_anything(String name) {
        assertThatNoException().isThrownBy(() -> QueueRules.name(name));
        assertThatNoException().isThrownBy(() -> QueueRules.lookup(name));
        assertThatNoException().isThrownBy(() -> QueueRules.deadQueue("queue", name));
    }

    @Test
    void a_name_has_up_to_512_bytes() {
        assertThatNoException().isThrownBy(() -> QueueRules.name("n".repeat(512)));
        assertThatNoException().isThrownBy(() -> QueueRules.name("\u00e9".repeat(256)));
        assertThatNoException().isThrownBy(() -> QueueRules.name(LOCK.repeat(128)));
        assertRefused(() -> QueueRules.name("n".repeat(513)), LONG_NAME);
        assertRefused(() -> QueueRules.name("\u00e9".repeat(256) + "n"), LONG_NAME);
        assertRefused(() -> QueueRules.name(LOCK.repeat(128) + "n"), LONG_NAME);
        assertRefused(() -> QueueRules.name(" ".repeat(513)), LONG_NAME);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t\r\n", "\u00a0", "\u2003\u3000", "\u0085"})
    void a_name_is_not_blank(String blank) {
        assertRefused(() -> QueueRules.name(blank), EMPTY_NAME);
        assertRefused(() -> QueueRules.lookup(blank), EMPTY_NAME);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\t", "\n", "\u000b", "\f", "\r", " ", "\u0085", "\u00a0", "\u1680", "\u2000", "\u200a", "\u2028",
                "\u2029", "\u202f", "\u205f", "\u3000"
            })
    void a_name_has_no_whitespace_of_any_kind(String space) {
        String name = "a" + space + "~";
        assertRefused(() -> QueueRules.name(name), "queue name is invalid; '" + name + "' cannot contain whitespace");
        assertRefused(
                () -> QueueRules.namespace(name),
                "namespace name is invalid; '" + name + "' cannot contain whitespace");
        assertRefused(
                () -> QueueRules.deadQueue("q", name),
                "dead queue is invalid; '" + name + "' cannot contain whitespace");
        assertRefused(
                () -> QueueRules.lookup(name), "queue name is invalid; '" + name + "' cannot contain '~' character");
    }

    @Test
    void a_name_has_no_tilde() {
        assertRefused(() -> QueueRules.name("a~b"), "queue name is invalid; 'a~b' cannot contain '~' character");
        assertRefused(() -> QueueRules.lookup("~"), "queue name is invalid; '~' cannot contain '~' character");
    }

    @Test
    void what_breaks_other_rules_may_be_looked_up_and_is_not_there() {
        assertThatNoException().isThrownBy(() -> QueueRules.lookup("n".repeat(513)));
        assertThatNoException().isThrownBy(() -> QueueRules.lookup("a b"));
    }

    @Test
    void nothing_that_is_stored_as_text_holds_u0000() {
        String nul = "a\0b";
        assertNul("queue name", () -> QueueRules.name(nul));
        assertNul("queue name", () -> QueueRules.lookup(nul));
        assertNul("namespace name", () -> QueueRules.namespace(nul));
        assertNul("namespace name", () -> new QueueListing(nul, "", 0));
        assertNul("dead queue", () -> QueueRules.deadQueue("q", nul));
        assertNul("reference field", () -> QueueRules.reference(nul));
        assertNul("pivot", () -> QueueRules.listing(nul, 1));
        assertNul("kind", () -> QueueRules.text("kind", nul));
    }

    private static void assertNul(String field, Runnable call) {
        assertRefused(call::run, field + " is invalid; cannot contain the character U+0000");
    }

    @Test
    void a_namespace_has_up_to_256_bytes_and_no_whitespace_tilde_or_colon() {
        String tooLong = "namespace name is invalid; cannot be greater than '256' characters";
        assertThatNoException().isThrownBy(() -> QueueRules.namespace("\u00e9".repeat(128)));
        assertRefused(() -> QueueRules.namespace("n".repeat(257)), tooLong);
        assertRefused(() -> QueueRules.namespace("\u00e9".repeat(128) + "n"), tooLong);
        assertRefused(() -> QueueRules.namespace(""), "namespace name is invalid; cannot be empty");
        assertRefused(() -> QueueRules.namespace(" \u00a0"), "namespace name is invalid; cannot be empty");
        assertRefused(
                () -> QueueRules.namespace("a b~:"), "namespace name is invalid; 'a b~:' cannot contain whitespace");
        assertRefused(
                () -> QueueRules.namespace("a~:"), "namespace name is invalid; 'a~:' cannot contain '~' character");
        assertRefused(() -> QueueRules.namespace("a:"), "namespace name is invalid; 'a:' cannot contain ':' character");
    }

    @Test
    void a_dead_queue_has_up_to_500_bytes_and_is_another_queue_or_none() {
        String tooLong = "dead queue is invalid; cannot be greater than '500' characters";
        assertThatNoException().isThrownBy(() -> QueueRules.deadQueue("q", ""));
        assertThatNoException().isThrownBy(() -> QueueRules.deadQueue("q", "\u00e9".repeat(250)));
        assertRefused(() -> QueueRules.deadQueue("q", "d".repeat(501)), tooLong);
        assertRefused(() -> QueueRules.deadQueue("q", "\u00e9".repeat(250) + " "), tooLong);
        assertRefused(
                () -> QueueRules.deadQueue("q", "d~"), "dead queue is invalid; 'd~' cannot contain '~' character");
        assertRefused(() -> QueueRules.deadQueue("q", "q"), "dead_queue cannot reference itself");
    }

    @Test
    void a_reference_has_up_to_2000_bytes() {
        String tooLong = "reference field is invalid; cannot be greater than '2000' characters";
        assertThatNoException().isThrownBy(() -> QueueRules.reference("r".repeat(2000)));
        assertThatNoException().isThrownBy(() -> QueueRules.reference("\u00e9".repeat(1000)));
        assertRefused(() -> QueueRules.reference("r".repeat(2001)), tooLong);
        assertRefused(() -> QueueRules.reference("\u00e9".repeat(1001)), tooLong);
    }

    @Test
    void attempts_are_from_none_to_65536_and_partitions_from_one_to_32000() {
        assertThatNoException().isThrownBy(() -> QueueRules.maxAttempts(0));
        assertThatNoException().isThrownBy(() -> QueueRules.maxAttempts(65_536));
        assertRefused(() -> QueueRules.maxAttempts(65_537), "max attempts is invalid; cannot be greater than 65536");
        assertRefused(() -> QueueRules.maxAttempts(-1), "max attempts is invalid; cannot be negative number");
        assertThatNoException().isThrownBy(() -> QueueRules.partitions(1));
        assertRefused(() -> QueueRules.partitions(0), "partitions is invalid; cannot be less than 1");
        assertRefused(() -> QueueRules.partitions(-1), "partitions is invalid; cannot be less than 1");
        assertThatNoException().isThrownBy(() -> QueueRules.partitions(32_000));
        assertRefused(() -> QueueRules.partitions(32_001), "partitions is invalid; cannot be greater than 32000");
    }

    @Test
    void timeouts_are_read_as_go_does() {
        assertThat(QueueRules.parseLeaseTimeout("1m30s")).isEqualTo(Duration.ofSeconds(90));
        assertThat(QueueRules.parseExpireTimeout("24h")).isEqualTo(Duration.ofDays(1));
        assertThat(QueueRules.parseRequestTimeout("900ms")).isEqualTo(Duration.ofMillis(900));
        assertThat(QueueRules.parseRequestTimeout("0")).isZero();
        assertThat(QueueRules.parseRequestTimeout("")).isZero();
        assertThat(QueueRules.parseLeaseTimeout("")).isZero();
        assertThat(QueueRules.parseExpireTimeout("")).isZero();
    }

    @Test
    void a_timeout_that_cannot_be_read_is_refused_with_the_words_of_go_and_examples() {
        assertRefused(
                () -> QueueRules.parseRequestTimeout("foo"),
                "request timeout is invalid; time: invalid duration \"foo\" - expected format: 900ms, 5m or 15m");
        assertRefused(
                () -> QueueRules.parseExpireTimeout("5"),
                "expire timeout is invalid; time: missing unit in duration \"5\" - expected format: 60m, 2h or 24h");
        assertRefused(
                () -> QueueRules.parseLeaseTimeout("1d"),
                "lease timeout is invalid; time: unknown unit \"d\" in duration \"1d\""
                        + " - expected format: 8m, 15m or 1h");
    }

    @Test
    void the_text_of_a_queues_timeout_has_up_to_15_bytes() {
        assertThatNoException().isThrownBy(() -> QueueRules.timeoutText("lease timeout", "1".repeat(15)));
        assertRefused(
                () -> QueueRules.timeoutText("lease timeout", "1".repeat(16)),
                "lease timeout is invalid; cannot be greater than '15' characters");
        assertRefused(
                () -> QueueRules.timeoutText("expire timeout", "\u00b5".repeat(8)),
                "expire timeout is invalid; cannot be greater than '15' characters");
    }

    @Test
    void produce_and_lease_take_more_than_10_ms_and_up_to_15_minutes() {
        assertWaits(QueueRules::produceTimeout);
        assertWaits(QueueRules::leaseTimeout);
    }

    private static void assertWaits(Consumer<Duration> rule) {
        assertThatNoException().isThrownBy(() -> rule.accept(Duration.ofMinutes(15)));
        assertThatNoException()
                .isThrownBy(() -> rule.accept(Duration.ofMillis(10).plusNanos(1)));
        assertRequired(() -> rule.accept(Duration.ZERO));
        assertTooLong(() -> rule.accept(Duration.ofMinutes(16)), "16m0s");
        assertTooLong(() -> rule.accept(Duration.ofMinutes(15).plusNanos(1)), "15m0.000000001s");
        assertTooShort(() -> rule.accept(Duration.ofMillis(10)), "10ms");
        assertTooShort(() -> rule.accept(Duration.ofNanos(100_000)), "100\u00b5s");
        assertTooShort(() -> rule.accept(Duration.ofSeconds(-1)), "-1s");
    }

    private static void assertRequired(Runnable call) {
        assertRefused(call::run, "request timeout is required; '5m' is recommended, 15m is the maximum");
    }

    private static void assertTooLong(Runnable call, String got) {
        assertRefused(
                call::run, "request timeout is invalid; maximum timeout is '15m' but '" + got + "' was requested");
    }

    private static void assertTooShort(Runnable call, String got) {
        assertRefused(
                call::run, "request timeout is invalid; minimum timeout is '10ms' but '" + got + "' was requested");
    }

    @Test
    void complete_has_no_shortest_timeout() {
        assertThatNoException().isThrownBy(() -> QueueRules.completeTimeout(Duration.ofMinutes(15)));
        assertThatNoException().isThrownBy(() -> QueueRules.completeTimeout(Duration.ofNanos(1)));
        assertThatNoException().isThrownBy(() -> QueueRules.completeTimeout(Duration.ofSeconds(-1)));
        assertTooLong(() -> QueueRules.completeTimeout(Duration.ofMinutes(15).plusMillis(1)), "15m0.001s");
        assertRequired(() -> QueueRules.completeTimeout(Duration.ZERO));
    }

    @Test
    void one_to_1000_at_a_time() {
        for (int size : new int[] {1, 1000}) {
            assertThatNoException().isThrownBy(() -> QueueRules.produceBatch(size));
            assertThatNoException().isThrownBy(() -> QueueRules.leaseBatch(size));
            assertThatNoException().isThrownBy(() -> QueueRules.ids(size));
            assertThatNoException().isThrownBy(() -> QueueRules.retries(size));
        }
        assertRefused(() -> QueueRules.produceBatch(0), "items cannot be empty; at least one item is required");
        assertRefused(
                () -> QueueRules.produceBatch(1001),
                "items is invalid; max_produce_batch_size is 1000 but received 1001");
        assertRefused(() -> QueueRules.leaseBatch(0), "invalid batch size; must be greater than zero");
        assertRefused(() -> QueueRules.leaseBatch(-1), "invalid batch size; must be greater than zero");
        assertRefused(
                () -> QueueRules.leaseBatch(1001),
                "invalid batch size; max_lease_batch_size is 1000, but 1001 was requested");
        assertRefused(() -> QueueRules.ids(0), "ids is invalid; list of ids cannot be empty");
        assertRefused(() -> QueueRules.ids(1001), "ids is invalid; max_complete_batch_size is 1000 but received 1001");
        assertRefused(() -> QueueRules.retries(0), "items is invalid; list of items cannot be empty");
        assertRefused(
                () -> QueueRules.retries(1001), "items is invalid; max_complete_batch_size is 1000 but received 1001");
    }

    @Test
    void a_client_says_who_it_is() {
        assertThatNoException().isThrownBy(() -> QueueRules.clientId("c"));
        for (String blank : new String[] {"", " ", "\t", "\u00a0"}) {
            assertRefused(() -> QueueRules.clientId(blank), "invalid client id; cannot be empty");
        }
    }

    @Test
    void partitions_are_numbered_from_zero() {
        assertThatNoException().isThrownBy(() -> QueueRules.partition(0, 1));
        assertThatNoException().isThrownBy(() -> QueueRules.partition(9, 10));
        for (int wrong : new int[] {-1, 10, 65_234}) {
            assertRefused(
                    () -> QueueRules.partition(wrong, 10),
                    "partition is invalid; '" + wrong + "' is not a valid partition");
        }
    }

    @Test
    void a_listing_has_up_to_65536_queues_and_a_pivot_without_tilde() {
        assertThatNoException().isThrownBy(() -> QueueRules.listing("", 0));
        assertThatNoException().isThrownBy(() -> QueueRules.listing("a b", 65_536));
        assertRefused(() -> QueueRules.listing("~", -1), "limit is invalid; limit cannot be negative");
        assertRefused(() -> QueueRules.listing("~", 65_537), "limit is invalid; cannot be greater than 65536");
        assertRefused(
                () -> QueueRules.listing("", Integer.MAX_VALUE), "limit is invalid; cannot be greater than 65536");
        assertRefused(() -> QueueRules.listing("a~", 1), "pivot is invalid; 'a~' cannot contain '~' character");
    }

    @Test
    void half_of_a_surrogate_pair_is_refused_everywhere() {
        for (String broken : List.of("a\ud800b", "\udc00", "a\ud83d", "\ud83d\ud83d\ude00")) {
            assertRefused(
                    () -> QueueRules.name(broken),
                    "queue name is invalid; cannot contain a lone surrogate, which is half of a character");
            assertRefused(
                    () -> QueueRules.lookup(broken),
                    "queue name is invalid; cannot contain a lone surrogate, which is half of a character");
            assertRefused(
                    () -> NewItem.of(broken),
                    "text is invalid; cannot contain a lone surrogate, which is half of a character");
            assertRefused(
                    () -> NewItem.of("fine").reference(broken),
                    "reference is invalid; cannot contain a lone surrogate, which is half of a character");
        }
        assertThatNoException().isThrownBy(() -> QueueRules.name("\ud83d\ude00"));
    }
}
