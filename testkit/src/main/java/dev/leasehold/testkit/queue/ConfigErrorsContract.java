package dev.leasehold.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.queue.QueueConfig;
import dev.leasehold.queue.QueueErrorCode;
import dev.leasehold.queue.admin.QueueUpdate;
import dev.leasehold.queue.item.ItemQueue;
import java.time.Duration;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings of queues that cannot be are refused in words that clients can rely on. */
public class ConfigErrorsContract extends QueueContract {
    private static void assertInvalid(String message, ThrowingCallable call) {
        assertFails(QueueErrorCode.INVALID_ARGUMENT, message, call);
    }

    /** Creates, updates and deletes a queue of that name. */
    private Stream<ThrowingCallable> everyChangeOf(String name) {
        return Stream.of(
                () -> queues().create(QueueConfig.named(name)),
                () -> queues().update(new QueueUpdate(name, LEASE, LEASE, 0, "", "", 0)),
                () -> queues().delete(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t"})
    void a_blank_name_is_refused(String name) {
        everyChangeOf(name)
                .forEach(change -> assertInvalid("queue name is invalid; queue name cannot be empty", change));
        assertInvalid("queue name is invalid; queue name cannot be empty", () -> queues().info(name));
    }

    @Test
    void a_name_with_a_tilde_is_refused() {
        everyChangeOf("invalid~queue")
                .forEach(change ->
                        assertInvalid("queue name is invalid; 'invalid~queue' cannot contain '~' character", change));
        assertInvalid(
                "queue name is invalid; 'invalid~queue' cannot contain '~' character",
                () -> queues().info("invalid~queue"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"invalid queue", "invalid\tqueue", "invalid\nqueue", "invalid\u00a0queue", "invalid\u2003queue"})
    void a_name_with_whitespace_is_refused(String name) {
        everyChangeOf(name)
                .forEach(change ->
                        assertInvalid("queue name is invalid; '" + name + "' cannot contain whitespace", change));
    }

    @Test
    void a_name_that_is_too_long_is_refused() {
        everyChangeOf("n".repeat(513))
                .forEach(change ->
                        assertInvalid("queue name is invalid; cannot be greater than '512' characters", change));
        everyChangeOf("\u00e9".repeat(257))
                .forEach(change ->
                        assertInvalid("queue name is invalid; cannot be greater than '512' characters", change));
    }

    @Test
    void a_name_at_the_limit_is_a_name() {
        String unique = unique("long");
        String longest = unique + "n".repeat(fixture().longestName() - unique.length());
        ItemQueue queue =
                queues().queue(queues().create(QueueConfig.named(longest)).name());
        produce(queue, "a");
        assertThat(lease(queue, 1).queue()).isEqualTo(longest);
    }

    @Test
    void a_lookup_of_what_cannot_be_a_name_finds_nothing() {
        Stream.of("n".repeat(513), "with space")
                .forEach(name -> assertFails(
                        QueueErrorCode.NO_SUCH_QUEUE,
                        "queue does not exist; no such queue named '" + name + "'",
                        () -> queues().info(name)));
    }

    @Test
    void timeouts_that_are_missing_are_refused() {
        QueueConfig config = QueueConfig.named("timeouts");
        assertInvalid("lease timeout is invalid; cannot be empty", () -> config.leaseTimeout(Duration.ZERO));
        assertInvalid("expire timeout is invalid; cannot be empty", () -> config.expireTimeout(Duration.ZERO));
        assertInvalid("lease timeout is invalid; cannot be empty", () -> config.leaseTimeout(Duration.ofMinutes(-1)));
    }

    @Test
    void a_lease_timeout_beyond_the_expire_timeout_is_refused() {
        assertInvalid(
                "lease timeout is too long; 1h0m0s cannot be greater than the expire timeout 30m0s",
                () -> QueueConfig.named("timeouts")
                        .expireTimeout(Duration.ofMinutes(30))
                        .leaseTimeout(Duration.ofHours(1)));
    }

    @Test
    void a_number_of_attempts_that_cannot_be_is_refused() {
        QueueConfig config = QueueConfig.named("attempts");
        String many = "max attempts is invalid; cannot be greater than 65536";
        String negative = "max attempts is invalid; cannot be negative number";
        assertInvalid(many, () -> config.maxAttempts(65_537));
        assertInvalid(negative, () -> config.maxAttempts(-1));
        assertInvalid(many, () -> new QueueUpdate("attempts", LEASE, LEASE, 65_537, "", "", 0));
        assertInvalid(negative, () -> new QueueUpdate("attempts", LEASE, LEASE, -1, "", "", 0));
        assertThat(config.maxAttempts(65_536).maxAttempts()).isEqualTo(65_536);
    }

    @Test
    void a_reference_that_is_too_long_is_refused() {
        String message = "reference field is invalid; cannot be greater than '2000' characters";
        assertInvalid(message, () -> QueueConfig.named("reference").reference("r".repeat(2001)));
        assertInvalid(message, () -> new QueueUpdate("reference", LEASE, LEASE, 0, "", "r".repeat(2001), 0));
        ItemQueue queue = newQueue(config -> config.reference("r".repeat(2000)));
        assertThat(queues().info(queue.name()).config().reference()).hasSize(2000);
    }

    @Test
    void a_number_of_partitions_that_cannot_be_is_refused() {
        String message = "partitions is invalid; cannot be less than 1";
        assertInvalid(message, () -> QueueConfig.named("partitions").partitions(0));
        assertInvalid(message, () -> QueueConfig.named("partitions").partitions(-1));
        assertInvalid(message, () -> new QueueUpdate("partitions", LEASE, LEASE, 0, "", "", -1));
        String tooMany = "partitions is invalid; cannot be greater than 32000";
        assertInvalid(tooMany, () -> QueueConfig.named("partitions").partitions(32_001));
        assertInvalid(tooMany, () -> new QueueUpdate("partitions", LEASE, LEASE, 0, "", "", 32_001));
    }

    @Test
    void a_dead_queue_that_cannot_be_a_name_is_refused() {
        assertInvalidDeadQueue("d".repeat(501), "dead queue is invalid; cannot be greater than '500' characters");
        assertInvalidDeadQueue("dead queue", "dead queue is invalid; 'dead queue' cannot contain whitespace");
        assertInvalidDeadQueue("dead~queue", "dead queue is invalid; 'dead~queue' cannot contain '~' character");
        assertInvalidDeadQueue("dead\0queue", "dead queue is invalid; cannot contain the character U+0000");
        assertInvalidDeadQueue("living", "dead_queue cannot reference itself");
    }

    private static void assertInvalidDeadQueue(String deadQueue, String message) {
        assertInvalid(message, () -> QueueConfig.named("living").deadQueue(deadQueue));
        assertInvalid(message, () -> new QueueUpdate("living", LEASE, LEASE, 0, deadQueue, "", 0));
    }

    @Test
    void a_namespace_that_cannot_be_is_refused() {
        QueueConfig config = QueueConfig.named("spaced");
        assertInvalid("namespace name is invalid; 'a~b' cannot contain '~' character", () -> config.namespace("a~b"));
        assertInvalid("namespace name is invalid; 'a:b' cannot contain ':' character", () -> config.namespace("a:b"));
        assertInvalid("namespace name is invalid; 'a b' cannot contain whitespace", () -> config.namespace("a b"));
        assertInvalid("namespace name is invalid; cannot be empty", () -> config.namespace("  "));
        assertInvalid(
                "namespace name is invalid; cannot be greater than '256' characters",
                () -> config.namespace("n".repeat(257)));
    }

    @Test
    void a_dead_queue_in_use_cannot_be_deleted_nor_get_one_of_its_own() {
        ItemQueue dead = newQueue();
        ItemQueue other = newQueue();
        ItemQueue queue = newQueue(config -> config.deadQueue(dead.name()));
        assertInvalid(
                "queue is in use; '" + dead.name() + "' is the dead_queue of '" + queue.name()
                        + "', change or delete that one first",
                () -> queues().delete(dead.name()));
        assertInvalid(
                "dead_queue is invalid; '" + dead.name() + "' is itself the dead_queue of '" + queue.name() + "'",
                () -> update(dead, config -> config.deadQueue(other.name())));

        queues().delete(queue.name());
        queues().delete(dead.name());
    }

    @Test
    void a_dead_queue_of_another_namespace_is_not_found() {
        ItemQueue elsewhere = newQueue(config -> config.namespace(unique("space")));
        assertInvalid(
                "dead_queue does not exist; '" + elsewhere.name() + "' was not found, create it first",
                () -> newQueue(config -> config.deadQueue(elsewhere.name())));
    }
}
