package dev.leasehold.lock.internal;

import static dev.leasehold.lock.internal.RenewalsFixture.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.lock.CapturedLog;
import dev.leasehold.lock.LockErrorCode;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockEvent.Reason;
import dev.leasehold.lock.LockEvent.Type;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKey;
import dev.leasehold.lock.engine.FakeStore;
import dev.leasehold.lock.engine.FakeStore.Asked;
import dev.leasehold.lock.spi.ExtendResult.Gone;
import dev.leasehold.lock.spi.Extension;
import dev.leasehold.spi.Futures;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RenewalsTest {
    private static final String LATE =
            "event=renewal_late keyHash=" + LockKey.of("late").hash();

    private final RenewalsFixture time = new RenewalsFixture();

    @Test
    void a_grant_is_renewed_after_a_third_of_its_ttl() {
        GrantValidity validity = time.held(TTL);
        time.passSeconds(9.9);
        assertThat(time.store.renewals).isEmpty();
        time.passSeconds(0.1);
        assertThat(time.store.renewals).hasSize(1);
        assertThat(time.renewal(0).question()).isEqualTo(new Extension(validity.lockId(), TTL));
    }

    @Test
    void it_is_renewed_again_a_third_after_the_renewal_was_sent() {
        GrantValidity validity = time.held(TTL);
        time.passSeconds(12);
        time.answer(0);
        assertThat(validity.expiresAt()).isEqualTo(FakeStore.START.plusSeconds(31));
        time.passSeconds(7.9);
        assertThat(time.store.renewals).hasSize(1);
        time.passSeconds(0.1);
        assertThat(time.store.renewals).hasSize(2);
    }

    @Test
    void what_is_past_half_of_its_interval_travels_along() {
        GrantValidity due = time.held(TTL);
        time.passSeconds(5);
        GrantValidity halfDue = time.held(TTL);
        time.passSeconds(1);
        time.held(TTL);
        time.passSeconds(4);
        assertThat(time.store.renewals).hasSize(1);
        assertThat(time.store.renewals.get(0))
                .extracting(Asked::question)
                .extracting(Extension::lockId)
                .containsExactlyInAnyOrder(due.lockId(), halfDue.lockId());
    }

    @Test
    void many_grants_are_renewed_in_one_call() {
        for (int i = 0; i < 1000; i++) {
            time.held(TTL);
        }
        time.passSeconds(10);
        assertThat(time.store.renewals).hasSize(1);
        assertThat(time.store.renewals.get(0)).hasSize(1000);
    }

    @Test
    void a_renewal_that_is_under_way_is_not_sent_again() {
        time.held(TTL);
        time.passSeconds(29);
        assertThat(time.store.renewals).hasSize(1);
    }

    @Test
    void a_renewal_that_failed_is_tried_again_after_a_second() {
        time.failRenewals();
        time.held(TTL);
        time.passSeconds(10);
        assertThat(time.store.renewals).hasSize(1);
        time.passSeconds(0.9);
        assertThat(time.store.renewals).hasSize(1);
        time.passSeconds(0.1);
        assertThat(time.store.renewals).hasSize(2);
    }

    @Test
    void it_is_tried_again_although_the_store_throws() {
        GrantValidity validity = time.held(TTL);
        time.store.onRenew = extension -> {
            throw new LockException(LockErrorCode.INTERNAL, "broken");
        };
        ticks(Duration.ofSeconds(10));
        assertThat(time.store.renewals).hasSize(1);
        time.answerRenewals();
        ticks(Duration.ofMillis(1_100));
        assertThat(time.store.renewals).hasSize(2);
        assertThat(validity.expiresAt()).isEqualTo(FakeStore.START.plusSeconds(31));
    }

    private void ticks(Duration duration) {
        for (long ms = 0; ms < duration.toMillis(); ms++) {
            time.tick();
        }
    }

    @Test
    void with_a_short_ttl_it_is_tried_again_after_a_tenth_of_it() {
        time.failRenewals();
        time.held(Duration.ofSeconds(3));
        time.passSeconds(1);
        assertThat(time.store.renewals).hasSize(1);
        time.passSeconds(0.3);
        assertThat(time.store.renewals).hasSize(2);
    }

    @Test
    void trust_ends_shortly_before_the_ttl_and_comes_back_with_a_renewal() {
        time.failRenewals();
        GrantValidity validity = time.held(TTL);
        time.passSeconds(26.9);
        assertThat(time.isTrusted(validity)).isTrue();
        time.passSeconds(0.1);
        assertThat(time.isTrusted(validity)).isFalse();
        assertThat(validity.isLost()).isFalse();
        assertThat(validity.exception())
                .hasMessageStartingWith("lock 'ledger' was lost: fence 41 is in doubt")
                .hasMessageContaining("2030-01-01T00:00:30Z");
        time.answerRenewals();
        time.passSeconds(1);
        assertThat(time.isTrusted(validity)).isTrue();
    }

    @Test
    void a_grant_that_is_not_renewed_for_its_ttl_is_lost_exactly_once() {
        time.failRenewals();
        GrantValidity validity = time.held(TTL);
        AtomicInteger told = new AtomicInteger();
        Futures.whenDone(validity.lost(), (what, failure) -> told.incrementAndGet());
        time.passSeconds(29.9);
        assertThat(validity.isLost()).isFalse();
        time.passSeconds(0.1);
        assertThat(validity.isLost()).isTrue();
        int calls = time.store.renewals.size();
        time.passSeconds(60);
        assertThat(told).hasValue(1);
        assertThat(time.store.renewals).hasSize(calls);
        assertThat(time.heard).hasSize(1);
        LockEvent event = time.heard.get(0);
        assertThat(event.type()).isEqualTo(Type.LOST);
        assertThat(event.why()).contains(Reason.EXPIRED);
        assertThat(event.keyHash()).isEqualTo(validity.key().hash());
        assertThat(event.lockIdHash()).isEqualTo(validity.lockId().hash());
    }

    @Test
    void lost_is_final() {
        GrantValidity validity = time.held(TTL);
        time.passSeconds(30);
        time.answer(0);
        assertThat(time.isTrusted(validity)).isFalse();
        assertThat(validity.exception())
                .hasMessage("lock 'ledger' was lost: fence 41 expired at 2030-01-01T00:00:30Z without renewal");
    }

    @Test
    void a_grant_that_is_gone_from_the_store_is_lost_at_once() {
        GrantValidity validity = time.held(TTL);
        time.passSeconds(10);
        time.renewal(0).answer().complete(Gone.NOT_FOUND);
        assertThat(validity.isLost()).isTrue();
        assertThat(time.isTrusted(validity)).isFalse();
        assertThat(validity.exception()).hasMessage("lock 'ledger' was lost: fence 41 is gone from the store");
        assertThat(time.heard)
                .singleElement()
                .satisfies(event -> assertThat(event.why()).contains(Reason.NOT_FOUND));
        time.passSeconds(60);
        assertThat(time.store.renewals).hasSize(1);
        assertThat(time.heard).hasSize(1);
    }

    @Test
    void a_released_grant_is_neither_renewed_nor_lost() {
        GrantValidity validity = time.held(TTL);
        time.passSeconds(10);
        time.renewals.remove(validity);
        time.renewal(0).answer().complete(Gone.NOT_FOUND);
        time.passSeconds(60);
        assertThat(validity.isLost()).isFalse();
        assertThat(time.store.renewals).hasSize(1);
        assertThat(time.heard).isEmpty();
    }

    @Test
    void a_grant_without_renewal_is_lost_at_its_end() {
        GrantValidity validity = time.heldWithoutRenewal(TTL);
        time.held(TTL);
        time.answerRenewals();
        time.passSeconds(26.9);
        assertThat(time.isTrusted(validity)).isTrue();
        time.passSeconds(3.1);
        assertThat(validity.isLost()).isTrue();
        assertThat(time.store.renewals)
                .isNotEmpty()
                .allSatisfy(batch ->
                        assertThat(batch).noneMatch(a -> a.question().lockId().equals(validity.lockId())));
    }

    @Test
    void trust_is_counted_from_when_the_renewal_was_sent_not_from_its_answer() {
        GrantValidity validity = time.held(TTL);
        time.passSeconds(20);
        time.answer(0);
        time.passSeconds(16.9);
        assertThat(time.isTrusted(validity)).isTrue();
        time.passSeconds(0.1);
        assertThat(time.isTrusted(validity)).isFalse();
        time.passSeconds(2.9);
        assertThat(validity.isLost()).isFalse();
        time.passSeconds(0.1);
        assertThat(validity.isLost()).isTrue();
    }

    @Test
    void an_older_answer_that_comes_later_does_not_move_trust_back() {
        GrantValidity validity = time.held(TTL);
        time.passSeconds(12);
        validity.renewed(time.nanos(), TTL, FakeStore.START.plusSeconds(42));
        time.answer(0);
        assertThat(validity.expiresAt()).isEqualTo(FakeStore.START.plusSeconds(42));
        time.passSeconds(26.9);
        assertThat(time.isTrusted(validity)).isTrue();
    }

    @Test
    void a_new_ttl_is_that_of_later_renewals() {
        GrantValidity validity = time.held(TTL);
        validity.renewed(time.nanos(), Duration.ofSeconds(60), FakeStore.START.plusSeconds(60));
        time.passSeconds(19.9);
        assertThat(time.store.renewals).isEmpty();
        time.passSeconds(0.1);
        assertThat(time.renewal(0).question().ttl()).isEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void a_late_renewal_is_warned_of_once() {
        time.failRenewals();
        time.key = LockKey.of("late");
        time.held(TTL);
        try (CapturedLog log = new CapturedLog()) {
            time.passSeconds(19.9);
            assertThat(log.lines(LATE)).isEmpty();
            time.passSeconds(9);
            assertThat(log.lines(LATE)).hasSize(1);
        }
    }

    @Test
    void after_a_success_it_is_warned_of_again() {
        time.failRenewals();
        time.key = LockKey.of("late");
        time.held(TTL);
        try (CapturedLog log = new CapturedLog()) {
            time.passSeconds(21);
            time.answerRenewals();
            time.passSeconds(2);
            time.failRenewals();
            time.passSeconds(25);
            assertThat(log.lines(LATE)).hasSize(2);
        }
    }
}
