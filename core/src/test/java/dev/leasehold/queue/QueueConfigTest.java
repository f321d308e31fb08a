package dev.leasehold.queue;

import static dev.leasehold.queue.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.leasehold.queue.admin.QueueUpdate;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a queue is told, at first and later. */
class QueueConfigTest {
    private static final Duration MICRO = Duration.ofNanos(1000);

    private final QueueConfig config = QueueConfig.named("q");

    @Test
    void defaults_are_leases_of_a_minute_items_for_ever_and_one_partition() {
        assertThat(config)
                .isEqualTo(new QueueConfig("q", "_system", Duration.ofMinutes(1), QueueConfig.NEVER, 0, "", "", 1));
        assertThat(config.hasDeadQueue()).isFalse();
    }

    @Test
    void each_setter_changes_its_own_part_alone() {
        QueueConfig all = config.namespace("n")
                .leaseTimeout(Duration.ofSeconds(1))
                .expireTimeout(Duration.ofSeconds(2))
                .maxAttempts(3)
                .deadQueue("d")
                .reference("r")
                .partitions(4);
        assertThat(all)
                .isEqualTo(new QueueConfig("q", "n", Duration.ofSeconds(1), Duration.ofSeconds(2), 3, "d", "r", 4));
        assertThat(all.hasDeadQueue()).isTrue();
    }

    @Test
    void a_queue_with_max_attempts_needs_a_dead_queue_unless_it_has_one_or_discards() {
        assertThat(config.needsDeadQueue()).isFalse();
        assertThat(config.maxAttempts(1).needsDeadQueue()).isTrue();
        assertThat(config.maxAttempts(1).withOwnDeadQueue().deadQueue()).isEqualTo("q-dead");
        assertThat(config.maxAttempts(1).deadQueue("d").needsDeadQueue()).isFalse();
        assertThat(config.discardDead().maxAttempts(1).needsDeadQueue()).isFalse();
        assertRefused(
                () -> config.deadQueue("d").discardDead(),
                "dead queue is invalid; discardDead and the dead queue 'd' contradict each other");
    }

    @Test
    void a_name_that_is_too_long_for_a_dead_queue_of_its_own_is_refused_with_the_way_out() {
        String longName = "x".repeat(496);
        assertThat(QueueConfig.named("x".repeat(495)).ownDeadQueue().expires()).isFalse();
        assertRefused(
                () -> QueueConfig.named(longName).maxAttempts(1).ownDeadQueue(),
                "dead queue is invalid; '" + longName + "-dead' would be greater than '500' characters:"
                        + " name a dead queue, or say discardDead");
    }

    @Test
    void an_expire_timeout_that_the_table_cannot_hold_is_for_ever_and_such_a_lease_timeout_is_refused() {
        Duration tooLong = Duration.ofSeconds(Long.MAX_VALUE);
        assertThat(config.expireTimeout(tooLong)).isEqualTo(config);
        assertRefused(
                () -> config.leaseTimeout(tooLong), "lease timeout is too long; cannot be greater than 2562047h0m0s");
    }

    @Test
    void no_namespace_means_the_systems() {
        assertThat(config.namespace("").namespace()).isEqualTo("_system");
        assertRefused(() -> config.namespace(" "), "namespace name is invalid; cannot be empty");
    }

    @Test
    void a_queue_has_timeouts_and_a_lease_is_not_longer_than_the_life_of_an_item() {
        assertThatNoException().isThrownBy(() -> config.leaseTimeout(MICRO).expireTimeout(MICRO));
        String noLease = "lease timeout is invalid; cannot be empty";
        assertRefused(() -> config.leaseTimeout(Duration.ZERO), noLease);
        assertRefused(() -> config.leaseTimeout(MICRO.minusNanos(1)), noLease);
        assertRefused(() -> config.leaseTimeout(Duration.ofSeconds(-1)), noLease);
        assertRefused(() -> config.expireTimeout(Duration.ZERO), "expire timeout is invalid; cannot be empty");
        assertRefused(
                () -> config.expireTimeout(Duration.ofSeconds(59)),
                "lease timeout is too long; 1m0s cannot be greater than the expire timeout 59s");
    }

    @Test
    void the_first_rule_that_is_broken_is_told() {
        String longText = "x".repeat(2001);
        Duration none = Duration.ZERO;
        assertRefused(
                () -> new QueueConfig("a~", "a:", none, none, -1, "a~", longText, 0),
                "queue name is invalid; 'a~' cannot contain '~' character");
        assertRefused(
                () -> new QueueConfig("a", "a:", none, none, -1, "a", longText, 0),
                "namespace name is invalid; 'a:' cannot contain ':' character");
        assertRefused(
                () -> new QueueConfig("a", "", none, none, -1, "a", longText, 0), "dead_queue cannot reference itself");
        assertRefused(
                () -> new QueueConfig("a", "", none, none, -1, "", longText, 0),
                "reference field is invalid; cannot be greater than '2000' characters");
        assertRefused(
                () -> new QueueConfig("a", "", none, none, -1, "", "", 0),
                "max attempts is invalid; cannot be negative number");
        assertRefused(
                () -> new QueueConfig("a", "", none, none, 0, "", "", 0),
                "partitions is invalid; cannot be less than 1");
        assertRefused(
                () -> new QueueConfig("a", "", none, none, 0, "", "", 1), "lease timeout is invalid; cannot be empty");
        assertRefused(
                () -> new QueueConfig("a", "", MICRO, none, 0, "", "", 1),
                "expire timeout is invalid; cannot be empty");
    }

    @Test
    void an_update_keeps_what_is_zero_and_always_sets_the_rest() {
        QueueConfig current = new QueueConfig("q", "n", Duration.ofSeconds(1), Duration.ofSeconds(2), 3, "d", "r", 4);
        QueueUpdate nothing = new QueueUpdate("q", Duration.ZERO, Duration.ZERO, 0, "", "", 0);
        assertThat(nothing.applyTo(current))
                .isEqualTo(new QueueConfig("q", "n", Duration.ofSeconds(1), Duration.ofSeconds(2), 0, "", "", 4));

        QueueUpdate everything = new QueueUpdate("q", Duration.ofSeconds(5), Duration.ofSeconds(6), 7, "e", "s", 2);
        assertThat(everything.applyTo(current))
                .isEqualTo(new QueueConfig("q", "n", Duration.ofSeconds(5), Duration.ofSeconds(6), 7, "e", "s", 2));
        assertThat(QueueUpdate.to(current).applyTo(config.namespace("n"))).isEqualTo(current);
    }

    @Test
    void an_update_is_checked_alone_and_with_what_is() {
        Duration none = Duration.ZERO;
        assertRefused(
                () -> new QueueUpdate(" ", none, none, 0, "", "", 0),
                "queue name is invalid; queue name cannot be empty");
        assertRefused(() -> new QueueUpdate("q", none, none, 0, "q", "", 0), "dead_queue cannot reference itself");
        assertRefused(
                () -> new QueueUpdate("q", none, none, 0, "", "x".repeat(2001), 0),
                "reference field is invalid; cannot be greater than '2000' characters");
        assertRefused(
                () -> new QueueUpdate("q", none, none, 65_537, "", "", 0),
                "max attempts is invalid; cannot be greater than 65536");
        assertRefused(
                () -> new QueueUpdate("q", none, none, 0, "", "", -1), "partitions is invalid; cannot be less than 1");
        QueueUpdate longLease = new QueueUpdate("q", Duration.ofDays(2), none, 0, "", "", 0);
        assertRefused(
                () -> longLease.applyTo(config.expireTimeout(Duration.ofDays(1))),
                "lease timeout is too long; 48h0m0s cannot be greater than the expire timeout 24h0m0s");
    }
}
