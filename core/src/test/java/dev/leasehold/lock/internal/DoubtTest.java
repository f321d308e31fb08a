package dev.leasehold.lock.internal;

import static dev.leasehold.lock.internal.RenewalsFixture.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.engine.FakeStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a holder may believe after its JVM or its machine stood still. The margin of 30 seconds is 3 seconds. */
class DoubtTest {
    private static final Duration MARGIN = Duration.ofSeconds(3);

    private final RenewalsFixture time = new RenewalsFixture();

    @Test
    void a_pause_is_noticed_before_any_beat() {
        GrantValidity validity = time.held(TTL);
        time.pause(MARGIN.minusMillis(1));
        assertThat(time.isTrusted(validity)).isTrue();
        time.pause(Duration.ofMillis(1));
        assertThat(time.isTrusted(validity)).isFalse();
    }

    @Test
    void doubt_outlasts_the_beat_until_a_renewal_succeeds() {
        GrantValidity validity = time.held(TTL);
        time.pause(MARGIN);
        time.renewals.look();
        time.renewals.look();
        assertThat(time.isTrusted(validity)).isFalse();
        assertThat(validity.isLost()).isFalse();
        assertThat(time.store.renewals).as("renewed at once").hasSize(1);
        time.answer(0);
        assertThat(time.isTrusted(validity)).isTrue();
    }

    @Test
    void a_renewal_that_fails_leaves_it_in_doubt() {
        time.failRenewals();
        GrantValidity validity = time.held(TTL);
        time.pause(MARGIN);
        time.passSeconds(5);
        assertThat(time.isTrusted(validity)).isFalse();
        assertThat(time.store.renewals).hasSizeGreaterThan(1);
        time.answerRenewals();
        time.passSeconds(1);
        assertThat(time.isTrusted(validity)).isTrue();
    }

    @Test
    void a_short_pause_is_no_reason_for_doubt() {
        GrantValidity validity = time.held(TTL);
        time.pause(MARGIN.minusMillis(1));
        time.renewals.look();
        assertThat(time.isTrusted(validity)).isTrue();
        assertThat(time.store.renewals).isEmpty();
    }

    @Test
    void a_wall_clock_that_ran_ahead_is_a_pause_too() {
        GrantValidity validity = time.held(TTL);
        time.suspend(MARGIN);
        assertThat(time.isTrusted(validity)).isFalse();
        time.renewals.look();
        assertThat(time.isTrusted(validity)).isFalse();
        time.answer(0);
        assertThat(time.isTrusted(validity)).isTrue();
    }

    @Test
    void a_wall_clock_that_was_set_back_is_none() {
        GrantValidity validity = time.held(TTL);
        time.suspend(Duration.ofHours(-1));
        assertThat(time.isTrusted(validity)).isTrue();
        time.renewals.look();
        assertThat(time.isTrusted(validity)).isTrue();
        assertThat(time.store.renewals).isEmpty();
    }

    @Test
    void only_grants_with_a_smaller_margin_are_in_doubt() {
        GrantValidity small = time.held(TTL);
        GrantValidity large = time.held(Duration.ofSeconds(60));
        time.pause(MARGIN);
        time.renewals.look();
        assertThat(time.isTrusted(small)).isFalse();
        assertThat(time.isTrusted(large)).isTrue();
    }

    @Test
    void a_pause_of_the_whole_ttl_loses_the_grant() {
        GrantValidity validity = time.held(TTL);
        time.pause(TTL);
        assertThat(time.isTrusted(validity)).isFalse();
        time.renewals.look();
        assertThat(validity.isLost()).isTrue();
    }

    @Test
    void a_first_grant_after_a_quiet_time_is_not_in_doubt() {
        time.pause(Duration.ofHours(1));
        assertThat(time.isTrusted(time.held(TTL))).isTrue();
    }

    @Test
    void a_grant_without_renewal_is_in_doubt_until_it_is_extended() {
        GrantValidity validity = time.heldWithoutRenewal(TTL);
        time.pause(MARGIN);
        time.passSeconds(1);
        assertThat(time.isTrusted(validity)).isFalse();
        assertThat(time.store.renewals).isEmpty();
        validity.renewed(time.nanos(), TTL, FakeStore.START.plusSeconds(60));
        assertThat(time.isTrusted(validity)).isTrue();
    }

    @Test
    void a_renewal_that_was_sent_before_the_machine_stood_still_does_not_end_the_doubt() {
        GrantValidity validity = time.held(TTL);
        time.passSeconds(10);
        assertThat(time.store.renewals).hasSize(1);
        time.suspend(Duration.ofMinutes(5));
        time.renewals.look();
        time.answer(0);
        assertThat(time.isTrusted(validity))
                .as("the answer is five minutes old, the ttl is 30 seconds")
                .isFalse();
    }

    @Test
    void an_answer_that_comes_before_the_beat_does_not_hide_the_pause() {
        GrantValidity validity = time.held(TTL);
        time.passSeconds(10);
        time.suspend(Duration.ofMinutes(5));
        time.answer(0);
        assertThat(time.isTrusted(validity)).isFalse();
        time.renewals.look();
        assertThat(time.isTrusted(validity)).isFalse();
        assertThat(time.store.renewals).hasSize(2);
        time.answer(1);
        assertThat(time.isTrusted(validity)).isTrue();
    }
}
